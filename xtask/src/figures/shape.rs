//! What a source defines: its types, and the functions that take a tuple.

use anyhow::{Context, Result};
use syn::{FnArg, Signature, Type, visit::Visit};

use super::source::SourceText;

/// What was found in one source.
#[derive(Default)]
pub(super) struct Shape {
    /// Names of types, traits and aliases.
    pub(super) types: Vec<String>,
    /// Names of functions with a parameter that is a tuple.
    pub(super) tuple_functions: Vec<String>,
}

/// The shape of one source.
///
/// # Errors
/// When it is not Rust.
pub(super) fn of(source: &SourceText) -> Result<Shape> {
    let file =
        syn::parse_file(&source.text).with_context(|| format!("{} is not Rust", source.path))?;
    let mut shape = Shape::default();
    shape.visit_file(&file);
    Ok(shape)
}

impl<'ast> Visit<'ast> for Shape {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.types.push(item.ident.to_string());
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.types.push(item.ident.to_string());
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.types.push(item.ident.to_string());
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.types.push(item.ident.to_string());
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
        let shape = of(&SourceText::new("crates/a/src/lib.rs".to_owned(), text)).unwrap();
        assert_eq!(shape.types, ["A", "B", "C", "E"]);
        assert_eq!(shape.tuple_functions, ["d", "f"]);
    }
}
