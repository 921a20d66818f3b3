# The one image of every part of the scale-out form; compose.yaml says which part a container is.

FROM python:3.11.14-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# The tools that compile, and beside them what the program needs and nothing more.
COPY requirements.lock pyproject.toml ./
COPY tools/runtime_lock.py tools/
RUN python -m venv /opt/tools \
    && /opt/tools/bin/pip install --require-hashes --requirement requirements.lock
RUN python -m venv /opt/retourne \
    && /opt/tools/bin/python tools/runtime_lock.py > /tmp/runtime.lock \
    && /opt/retourne/bin/pip install --require-hashes --requirement /tmp/runtime.lock
COPY . .
RUN /opt/retourne/bin/pip install --no-deps --no-build-isolation --editable . \
    && /opt/tools/bin/python tools/compile.py \
    && test -e build/compiled/sources.sha256

FROM python:3.11.14-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin retourne \
    && install --directory --owner=retourne --mode=700 /data
COPY --from=build /opt/retourne /opt/retourne
COPY --from=build /app /app
# The compiled engine stands before the sources; the folder that one is in must not.
ENV PATH=/opt/retourne/bin:$PATH \
    PYTHONPATH=/app/build/compiled \
    PYTHONSAFEPATH=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    RETOURNE_DATA=/data
WORKDIR /app
USER retourne
VOLUME /data
EXPOSE 8000
CMD ["retourne", "web", "--host", "0.0.0.0"]
