//! Finds which module uses which: every path in a module that leads into its own crate.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Item, Macro, UseTree, visit::Visit};

use super::{Arrow, tree::Tree, tree::is_test};

/// Maximum number of re-exports followed; a longer chain is a cycle.
const MAX_EXPORTS: usize = 16;

/// Every dependency between two modules of a crate, once.
pub(super) fn arrows(tree: &Tree) -> Vec<Arrow> {
    let mut arrows = BTreeSet::new();
    for (path, module) in &tree.modules {
        let mut paths = Paths::default();
        for item in &module.items {
            paths.visit_item(item);
        }
        for used in paths.found {
            if let Some(to) = defined_in(tree, path, &used)
                && to != *path
            {
                arrows.insert(Arrow {
                    from: path.clone(),
                    to,
                });
            }
        }
    }
    arrows.into_iter().collect()
}

/// The module that defines the item that the module `at` calls `used`; `None` if it is outside this
/// crate.
fn defined_in(tree: &Tree, at: &[String], used: &[String]) -> Option<Vec<String>> {
    resolve(tree, at, used, MAX_EXPORTS)
}

fn resolve(tree: &Tree, at: &[String], used: &[String], exports: usize) -> Option<Vec<String>> {
    let (first, mut rest) = used.split_first()?;
    let mut place = match first.as_str() {
        "crate" => Vec::new(),
        "self" => at.to_vec(),
        "super" => at.split_last()?.1.to_vec(),
        child => {
            let mut below = at.to_vec();
            below.push(child.to_owned());
            if !tree.has(&below) {
                return None;
            }
            below
        }
    };
    while let Some((next, after)) = rest.split_first() {
        if next == "super" {
            place.pop()?;
            rest = after;
            continue;
        }
        let mut below = place.clone();
        below.push(next.clone());
        if !tree.has(&below) {
            break;
        }
        place = below;
        rest = after;
    }
    let Some(name) = rest.first() else {
        return Some(place);
    };
    let module = tree.modules.get(&place)?;
    if module.defined.contains(name) || exports == 0 {
        return Some(place);
    }
    if let Some((_, path)) = module
        .exported
        .iter()
        .find(|(exported, _)| exported == name)
    {
        return resolve(tree, &place, path, exports - 1).or(Some(place));
    }
    for glob in &module.globs {
        let from = resolve(tree, &place, glob, exports - 1);
        let defines = |it: &Vec<String>| {
            tree.modules
                .get(it)
                .is_some_and(|module| module.defined.contains(name))
        };
        if let Some(from) = from.filter(defines) {
            return Some(from);
        }
    }
    Some(place)
}

/// The paths used by a module's items.
#[derive(Default)]
struct Paths {
    found: BTreeSet<Vec<String>>,
}

impl Paths {
    fn note(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.found.insert(path);
        }
    }

    fn trees(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.trees(&path.tree, before);
                before.pop();
            }
            UseTree::Name(name) => self.add_leaf(before, &name.ident),
            UseTree::Rename(rename) => self.add_leaf(before, &rename.ident),
            UseTree::Glob(_) => self.note(before.clone()),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.trees(tree, before);
                }
            }
        }
    }

    fn add_leaf(&mut self, before: &[String], name: &proc_macro2::Ident) {
        let mut path = before.to_vec();
        if name != "self" {
            path.push(name.to_string());
        }
        self.note(path);
    }

    /// Paths from `crate`, `self` or `super` in the tokens of a macro, which syn does not parse.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let mut path = vec![first.to_string()];
                    while let Some(
                        [
                            TokenTree::Punct(a),
                            TokenTree::Punct(b),
                            TokenTree::Ident(name),
                        ],
                    ) = tokens.get(at..at + 3)
                        && a.as_char() == ':'
                        && b.as_char() == ':'
                    {
                        path.push(name.to_string());
                        at += 3;
                    }
                    if matches!(path[0].as_str(), "crate" | "self" | "super") {
                        self.note(path);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Use(item) = item {
            return self.trees(&item.tree, &mut Vec::new());
        }
        syn::visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !item.attrs.iter().any(is_test) {
            syn::visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|it| it.ident.to_string());
        self.note(names.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.tokens(item.tokens.clone());
        syn::visit::visit_macro(self, item);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let arrow = |it: Arrow| format!("{} → {}", it.from.join("::"), it.to.join("::"));
        arrows(&Tree::of(text)).into_iter().map(arrow).collect()
    }

    #[test]
    fn a_use_a_path_and_a_path_in_a_macro_are_arrows() {
        let text = "mod a { pub struct A; } mod b { pub fn b() {} } mod c { pub const C: u8 = 0; }
            mod d { use crate::a::A; fn d() { crate::b::b(); println!(\"{}\", super::c::C); } }";
        assert_eq!(found(text), ["d → a", "d → b", "d → c"]);
    }

    #[test]
    fn a_re_export_counts_where_the_item_is_defined() {
        let text = "pub use a::A; mod a { pub use crate::deep::A; } mod deep { pub struct A; }
            mod b { use crate::A; } mod c { use crate::a::A; }";
        assert_eq!(found(text), [" → deep", "a → deep", "b → deep", "c → deep"]);
    }

    #[test]
    fn a_glob_leads_to_the_module_that_defines_the_name() {
        let text = "mod a { pub use super::deep::*; } mod deep { pub struct A; } mod b { use crate::a::A; }";
        assert_eq!(found(text), ["a → deep", "b → deep"]);
    }

    #[test]
    fn what_only_tests_use_is_no_arrow() {
        let text = "mod a { pub struct A; }
            mod b { #[cfg(test)] use crate::a::A; #[cfg(test)] mod tests { use crate::a::A; }
                    #[cfg(all(test, unix))] fn only() { crate::a::only() } }";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn other_crates_and_ones_own_module_are_no_arrows() {
        let text = "mod a { use std::fmt::Debug; pub struct A; impl self::A {} fn a() { serde::to(A::b()); } }";
        assert_eq!(found(text), Vec::<String>::new());
    }
}
