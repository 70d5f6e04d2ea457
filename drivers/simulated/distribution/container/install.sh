#!/bin/sh
# install.sh SOURCE: daqmx-sim of the sources of the repository in SOURCE (LICENSE and drivers/ are enough) into /opt/daqmx-sim.
# As root, in a container of an image that has Python, or on a Debian that has nothing.
set -eu
source=${1:?install.sh SOURCE: expected the folder of the repository}
target=/opt/daqmx-sim

if ! python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv ca-certificates
    rm -rf /var/lib/apt/lists/*
fi

python3 -m venv "$target"
"$target/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check "$source/drivers/simulated/distribution"

# What a server has no use for: installers, and tests and headers of numpy.
"$target/bin/python" -m pip uninstall --quiet --yes pip
find "$target" -depth \( -type d -name tests -o -path '*/numpy/_core/include' -o -path '*/numpy/f2py' \) -exec rm -rf {} +
"$target/bin/daqmx-sim" --version
