//! Finds types, functions and constants with refused names.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use quote::ToTokens;
use syn::{Ident, ImplItemFn, ItemConst, ItemImpl, ItemStatic, ReturnType, visit::Visit};

use super::{
    Refusal,
    table::{self, CONSTANTS, DOMAIN_TYPES, FUNCTIONS, Pattern, TYPES},
};
use crate::source::SourceText;

/// The refused names that one source defines.
///
/// # Errors
/// If it is not valid Rust.
pub(super) fn refusals(source: &SourceText) -> Result<Vec<Refusal>> {
    let file =
        syn::parse_file(&source.text).with_context(|| format!("{} is not Rust", source.path))?;
    let mut types = Types::default();
    types.visit_file(&file);
    let mut definitions = Definitions {
        own_types: types.0.iter().map(ToString::to_string).collect(),
        refusals: Vec::new(),
    };
    for name in types.0 {
        if !DOMAIN_TYPES.contains(&(&*name.to_string(), &*source.path)) {
            definitions.judge("type", TYPES, &name);
        }
    }
    definitions.visit_file(&file);
    Ok(definitions.refusals)
}

/// The types, traits and aliases that a source defines.
#[derive(Default)]
struct Types(Vec<Ident>);

impl<'ast> Visit<'ast> for Types {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.0.push(item.ident.clone());
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.0.push(item.ident.clone());
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.0.push(item.ident.clone());
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.0.push(item.ident.clone());
    }
}

struct Definitions {
    /// Names of the types that the source defines, which its constructors may return.
    own_types: BTreeSet<String>,
    refusals: Vec<Refusal>,
}

impl Definitions {
    fn judge(&mut self, kind: &'static str, table: &[Pattern], name: &Ident) {
        if let Some(instead) = table::instead(table, &name.to_string()) {
            self.refuse(kind, name, instead);
        }
    }

    fn refuse(&mut self, kind: &'static str, name: &Ident, instead: &'static str) {
        self.refusals.push(Refusal {
            line: name.span().start().line,
            kind,
            name: name.to_string(),
            instead,
        });
    }

    /// Returns whether a function's return type contains `Self` or a type of this source.
    fn constructs(&self, output: &ReturnType) -> bool {
        let tokens = output.to_token_stream().to_string();
        tokens
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word == "Self" || self.own_types.contains(word))
    }
}

impl<'ast> Visit<'ast> for Definitions {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        // In a trait implementation only bodies are checked: its names come from the trait.
        if item.trait_.is_some() {
            for item in &item.items {
                if let syn::ImplItem::Fn(ImplItemFn { block, .. }) = item {
                    self.visit_block(block);
                }
            }
        } else {
            syn::visit::visit_item_impl(self, item);
        }
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        let name = &signature.ident;
        if name == "of" && !self.constructs(&signature.output) {
            self.refuse("function", name, table::OF);
        }
        self.judge("function", FUNCTIONS, name);
        syn::visit::visit_signature(self, signature);
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.judge("constant", CONSTANTS, &item.ident);
        syn::visit::visit_item_const(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.judge("constant", CONSTANTS, &item.ident);
        syn::visit::visit_impl_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.judge("constant", CONSTANTS, &item.ident);
        syn::visit::visit_item_static(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<(usize, String)> {
        let source = SourceText::new(path.to_owned(), text);
        let refusals = refusals(&source).unwrap();
        refusals.into_iter().map(|it| (it.line, it.name)).collect()
    }

    #[test]
    fn types_functions_and_constants_are_refused_where_they_are_defined() {
        let text = "enum Place { Said }\ntrait Page {\n    fn told_of(&self);\n}\n\
            impl Page for A {\n    fn told_of(&self) { fn kept() {} }\n}\n\
            impl B {\n    const LONGEST: u8 = 1;\n    fn is_near(&self) {}\n    fn nearest(&self) {}\n}\n\
            static PATIENCE_OF_ALL: u8 = 2;\nconst MOST: u8 = 3;\nfn left() {}\nfn leftmost() {}\n";
        let found = [
            (1, "Place"),
            (3, "told_of"),
            (6, "kept"),
            (9, "LONGEST"),
            (10, "is_near"),
            (13, "PATIENCE_OF_ALL"),
            (15, "left"),
        ];
        assert_eq!(
            names("crates/a/src/lib.rs", text),
            found.map(|(line, name)| (line, name.to_owned()))
        );
    }

    #[test]
    fn a_function_called_of_makes_a_value_of_its_own_type() {
        let text = "struct Score;\nimpl Score {\n    fn of(text: &str) -> Option<Self> { None }\n}\n\
            mod b {\n    fn of(text: &str) -> Vec<Score> { Vec::new() }\n}\n\
            mod c {\n    fn of(text: &str) -> Vec<String> { Vec::new() }\n}\n\
            mod d {\n    fn of(text: &str) {}\n}\n";
        assert_eq!(
            names("crates/a/src/lib.rs", text),
            [(9, "of".to_owned()), (12, "of".to_owned())]
        );
    }

    #[test]
    fn the_events_of_the_record_have_the_domains_own_names() {
        let text = "struct Asked;\n";
        assert_eq!(names("crates/record/src/event.rs", text), []);
        assert_eq!(
            names("crates/agents/src/event.rs", text),
            [(1, "Asked".to_owned())]
        );
    }
}
