#!/usr/bin/env bash
# NOT RUN as part of a release. Prints a formula for Homebrew for the archives in a folder:
# `homebrew.sh FOLDER`. The address is the page in CONTACT.
set -euo pipefail
folder=$1
page=$(grep --only-matching --max-count 1 'https://[^ >]*' "$(dirname "$0")/../CONTACT") || {
    echo "error: CONTACT has no page, so the formula would have no address" >&2
    exit 1
}
page=${page%/}

archive() { (cd "$folder" && ls agon-debate-[0-9]*-"$1".tar.gz 2>/dev/null) || true; }

# Prints where the archive of a target is, if the folder has one.
place() {
    local name version sum
    name=$(archive "$1")
    [ -n "$name" ] || return 0
    version=${name#agon-debate-}
    version=${version%"-$1.tar.gz"}
    sum=$(sha256sum "$folder/$name" | cut -d ' ' -f 1)
    cat <<RUBY
  on_$2 do
    on_$3 do
      url "$page/releases/download/v$version/$name"
      sha256 "$sum"
    end
  end
RUBY
}

cat <<RUBY
class AgonDebate < Formula
  desc "Makes AI tools argue a decision, and gives a verdict that can be audited"
  homepage "$page"
  license any_of: ["MIT", "Apache-2.0"]
$(place aarch64-apple-darwin macos arm)
$(place x86_64-apple-darwin macos intel)
$(place aarch64-unknown-linux-gnu linux arm)
$(place x86_64-unknown-linux-gnu linux intel)

  def install
    bin.install "agon"
    man1.install "man/agon.1"
    bash_completion.install "completions/agon.bash" => "agon"
    fish_completion.install "completions/agon.fish"
    zsh_completion.install "completions/_agon"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/agon --version")
  end
end
RUBY
