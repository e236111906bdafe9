#pragma once
// Other people's names in a shell script: one word for the shell whatever they hold, and for the eye nothing but what
// they are.

#include <string>
#include <string_view>

namespace tidemark::report {

// One word of bash that stands for exactly these bytes. Control characters, and whatever is not printable ASCII, are
// written as \xHH, so that nothing on the screen differs from what is run. NUL cannot be in a word: see can_be_word().
std::string shell_word(std::string_view text);

// Whether a program can be given it as an argument and the broker as a name: UTF-8 without NUL, and not empty.
bool can_be_word(std::string_view text);

// Whether `pulsar-admin -s NAME` means this name. Of others it makes an option, the content of a file, another name
// (older ones trim blanks and quotes), or with ".." the topic itself.
bool pulsar_admin_takes(std::string_view name);

}  // namespace tidemark::report
