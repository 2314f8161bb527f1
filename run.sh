export CARGO_TARGET_DIR=/tmp/graphw/tgt; cd /tmp/graphw/look; cargo build -q --bins --examples 2>&1 | tail -20
E=/tmp/graphw/tgt/debug/examples/graph_speed
for x in "8 9" "14 20" "40 70" "400 1200"; do set -- $x; mkdir -p /tmp/graphw/o$1;  $E $1 $2 /tmp/graphw/o$1; done
for r in "" r; do for d in halt-ai-development markov-blanket-brain-environment; do /tmp/graphw/tgt/debug/look /work/shared/debates/$d/argument-graph.mmd /tmp/graphw/$d$r $r; done; done
