# Solo in a container, for a Linux machine whose sound server it may use; compose.yaml shows how.
# Linted by tests/packages; not built by Solo's makers, who have no container engine at hand.
FROM node:20-bookworm-slim AS page
WORKDIR /src/dashboard
COPY dashboard/package.json dashboard/package-lock.json ./
RUN npm ci --no-fund --no-audit
COPY dashboard/ ./
RUN npm run build

FROM golang:1.26-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libpocketsphinx-dev libspeexdsp-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=page /src/dashboard/dist/page dashboard/dist/page
ARG VERSION=dev
RUN go build -trimpath -tags "sphinx speex" -ldflags "-s -w -X main.version=${VERSION}" -o /solo ./cmd/solo

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl espeak-ng flite libasound2 libasound2-plugins \
       libpocketsphinx3 libpulse0 libspeexdsp1 pocketsphinx-en-us tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home --home-dir /var/lib/solo --shell /usr/sbin/nologin solo
COPY --from=build /solo /usr/bin/solo
COPY LICENSE THIRD_PARTY.md /usr/share/doc/solo/
USER solo
WORKDIR /var/lib/solo
VOLUME /var/lib/solo
EXPOSE 7656
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["curl", "-fsS", "http://127.0.0.1:7656/healthz"]
ENTRYPOINT ["/usr/bin/solo", "--home", "/var/lib/solo"]
CMD ["run", "--no-input"]
