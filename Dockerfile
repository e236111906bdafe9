# Tidemark's image: built and run on the same Debian, as a user without rights, with nothing but the binary and its libraries.
#   docker build -t tidemark .            BASE: another Debian 12 image, such as one from your own registry
# Configuration: mount it at /etc/tidemark/tidemark.yml; the one in the image expects a broker at localhost:8080.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY deploy/install.sh deploy/
RUN deploy/install.sh build
COPY CMakeLists.txt CMakePresets.json ./
COPY cmake cmake
COPY lib lib
COPY daemon daemon
RUN cmake --preset release -DCMAKE_BUILD_TYPE=Release -DTIDEMARK_WERROR=OFF -DBUILD_TESTING=OFF \
    && cmake --build --preset release --target tidemark \
    && strip build/release/daemon/tidemark

FROM ${BASE}
RUN apt-get -qq update \
    && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ca-certificates \
       libprometheus-cpp-core1.0 libre2-9 libspdlog1.10 libssl3 libyaml-cpp0.7 libzstd1 zlib1g >/dev/null \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tidemark
COPY --from=build /src/build/release/daemon/tidemark /usr/bin/tidemark
COPY config/minimal.yml /etc/tidemark/tidemark.yml
RUN echo 'state: {path: /var/lib/tidemark}' >>/etc/tidemark/tidemark.yml \
    && install -d -o 10001 -g 10001 /var/lib/tidemark
VOLUME /var/lib/tidemark
USER 10001:10001
EXPOSE 10920
# There is no curl here; bash opens the socket itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/10920 && printf 'GET /-/healthy HTTP/1.0\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
ENTRYPOINT ["tidemark"]
CMD ["serve", "--config", "/etc/tidemark/tidemark.yml"]
