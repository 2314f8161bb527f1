//! What a source defines: its types, and the functions that take a tuple.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use syn::{FnArg, Ident, Signature, Type, visit::Visit};

use crate::source::SourceText;

/// What one source defines.
#[derive(Default)]
pub(crate) struct Shape {
    /// Names of types, traits and aliases, with their lines.
    pub(crate) types: Vec<(String, usize)>,
    /// Names of functions with a parameter that is a tuple.
    pub(crate) tuple_functions: Vec<String>,
}

/// The shape of one source.
///
/// # Errors
/// When it is not Rust.
pub(crate) fn read(source: &SourceText) -> Result<Shape> {
    let file =
        syn::parse_file(&source.text).with_context(|| format!("{} is not Rust", source.path))?;
    let mut shape = Shape::default();
    shape.visit_file(&file);
    Ok(shape)
}

/// Names that three or more types of the sources have, each with `file:line` of all of them.
///
/// # Errors
/// When a source is not Rust.
pub(crate) fn repeated_types(sources: &[SourceText]) -> Result<Vec<(String, Vec<String>)>> {
    const MAX_TYPES_OF_A_NAME: usize = 2;
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources {
        for (name, line) in read(source)?.types {
            let place = format!("{}:{line}", source.path);
            places.entry(name).or_default().push(place);
        }
    }
    places.retain(|_, places| places.len() > MAX_TYPES_OF_A_NAME);
    Ok(places.into_iter().collect())
}

impl Shape {
    fn add_type(&mut self, name: &Ident) {
        let line = name.span().start().line;
        self.types.push((name.to_string(), line));
    }
}

impl<'ast> Visit<'ast> for Shape {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add_type(&item.ident);
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add_type(&item.ident);
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add_type(&item.ident);
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add_type(&item.ident);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        let takes_tuple = signature.inputs.iter().any(|input| match input {
            FnArg::Typed(typed) => is_tuple(&typed.ty),
            FnArg::Receiver(_) => false,
        });
        if takes_tuple {
            self.tuple_functions.push(signature.ident.to_string());
        }
        syn::visit::visit_signature(self, signature);
    }
}

/// A tuple, or a reference to one; the empty one is none.
fn is_tuple(kind: &Type) -> bool {
    match kind {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        Type::Reference(reference) => is_tuple(&reference.elem),
        Type::Paren(inner) => is_tuple(&inner.elem),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_functions_with_a_tuple_are_found() {
        let text = "struct A; enum B {} trait C { fn d(&self, (x, y): (u8, u8)); } type E = u8;
            impl A { fn f(&self, pair: &(u8, u8), _: ()) {} fn g(&self, one: u8) -> (u8, u8) { (one, one) } }";
        let shape = read(&SourceText::new("crates/a/src/lib.rs".to_owned(), text)).unwrap();
        let types = ["A", "B", "C", "E"].map(|name| (name.to_owned(), 1));
        assert_eq!(shape.types, types);
        assert_eq!(shape.tuple_functions, ["d", "f"]);
    }

    #[test]
    fn a_name_that_three_types_have_is_found_with_their_places() {
        let source =
            |name: &str, text: &str| SourceText::new(format!("crates/{name}/src/lib.rs"), text);
        let sources = [
            source("a", "struct Held;\nstruct Lease;\n"),
            source("b", "struct Lease;\nmod c {\n    enum Held {}\n}\n"),
            source("c", "type Held = u8;\n"),
        ];
        let places = [
            "crates/a/src/lib.rs:1",
            "crates/b/src/lib.rs:3",
            "crates/c/src/lib.rs:1",
        ];
        assert_eq!(
            repeated_types(&sources).unwrap(),
            [("Held".to_owned(), places.map(str::to_owned).to_vec())]
        );
    }
}
