# NOT RUN. Builds Agon from this folder: `nix-build packaging/default.nix`.
{ pkgs ? import <nixpkgs> { } }:
let
  workspace = builtins.fromTOML (builtins.readFile ../Cargo.toml);
in
pkgs.rustPlatform.buildRustPackage {
  pname = "agon-debate";
  version = workspace.workspace.package.version;
  src = pkgs.lib.cleanSource ./..;
  cargoLock.lockFile = ../Cargo.lock;
  cargoBuildFlags = [ "--package" "agon" ];
  buildFeatures = [ "agon/full" ];
  nativeBuildInputs = [ pkgs.installShellFiles ];
  # The tests start AI tools and a browser, which a sandbox does not have.
  doCheck = false;
  postInstall = ''
    $out/bin/agon man > agon.1
    installManPage agon.1
    for shell in bash fish zsh; do
      $out/bin/agon completions $shell > agon.$shell
    done
    installShellCompletion agon.bash agon.fish agon.zsh
  '';
  meta = {
    description = "Makes AI tools argue a decision, and gives a verdict that can be audited";
    license = with pkgs.lib.licenses; [ mit asl20 ];
    mainProgram = "agon";
  };
}
