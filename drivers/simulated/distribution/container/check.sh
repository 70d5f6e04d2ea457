#!/bin/sh
# check.sh: what a container of this image does, where there may be no container tool: the server as a user without rights, its health
# check, a client's measurement, its end. As root, after install.sh.
set -eu
PATH=/opt/daqmx-sim/bin:$PATH
port=${1:-31763}
said=$(mktemp)

setpriv --reuid=65534 --regid=65534 --clear-groups daqmx-sim serve --host 0.0.0.0 --port "$port" >"$said" 2>&1 &
server=$!
tries=0
until daqmx-sim ping --timeout 1 "127.0.0.1:$port" 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -ge 60 ] || ! kill -0 "$server" 2>/dev/null; then
        echo "check.sh: the server is not healthy:" >&2
        cat "$said" >&2
        exit 1
    fi
done
user=$(awk '/^Uid:/ {print $2}' "/proc/$server/status")
[ "$user" != 0 ] || { echo "check.sh: the server runs as root" >&2; exit 1; }

python3 - "$port" <<'PYTHON'
import sys

import grpc
import nidaqmx

options = nidaqmx.GrpcSessionOptions(grpc.insecure_channel(f"127.0.0.1:{sys.argv[1]}"), "")
with nidaqmx.Task(grpc_options=options) as task:
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=100)
    assert len(task.read(100)) == 100
print("100 samples read")
PYTHON

kill -TERM "$server"
code=0
wait "$server" || code=$?
[ "$code" = 0 ] || { echo "check.sh: the server ended with $code" >&2; cat "$said" >&2; exit 1; }
if daqmx-sim ping --timeout 1 "127.0.0.1:$port" 2>/dev/null; then
    echo "check.sh: something still answers at port $port" >&2
    exit 1
fi
cat "$said"
echo "served as user $user; ended by SIGTERM with 0; $(du -sm /opt/daqmx-sim | cut -f1) MB"
