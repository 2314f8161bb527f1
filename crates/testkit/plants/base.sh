# The repository $REPO, and beside it the one that it was cloned from. With $NESTED it has submodules.
set -e
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.invalid
export GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.invalid
git init -q -b main upstream
cd upstream
printf 'one\n' > a.txt
printf 'x\n' > f.x
printf 'y\n' > f.y
mkdir src
printf 'fn main() {}\n' > src/main.rs
git add .
git commit -q -m begin
git branch ahead
git branch side
cd ..
git clone -q upstream "$REPO"
cd upstream
printf 'ahead\n' > ahead.txt
git add .
git commit -q -m ahead
cd "../$REPO"
git fetch -q origin side:side
printf 'two\n' > a.txt
git commit -q -a -m two
git checkout -q side
printf 'three\n' > a.txt
git commit -q -a -m three
git checkout -q main
if [ -n "$NESTED" ]; then
    for name in fsmonitor clean process promisor file; do
        git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),nest/$name"
        printf '[submodule "%s"]\n\tpath = nest/%s\n\turl = ./nest/%s\n\tignore = none\n' $name $name $name
    done > .gitmodules
    git add .gitmodules
    git commit -q -m nested
fi
printf 'changed\n' > a.txt
