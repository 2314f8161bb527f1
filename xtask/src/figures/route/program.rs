//! The functions and types of some crates, and what a path in them names.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use syn::{Block, Fields, FnArg, ImplItem, Item, Pat, ReturnType, Signature, Type, UseTree};
use syn::{Ident, visit::Visit};

use crate::figures::source::SourceText;

/// Types that a text is passed as, whole or in parts.
const TEXT_TYPES: [&str; 5] = ["str", "String", "Vec", "Option", "Cow"];

/// How often a re-export is followed; more is a circle of them.
const MAX_EXPORTS: usize = 16;

/// A function or method with a body.
pub(super) struct Function {
    /// The file it stands in.
    pub(super) file: String,
    /// Its crate, its modules, the type of its `impl`, its name.
    pub(super) path: Vec<String>,
    /// The type of its `impl`.
    pub(super) owner: Option<String>,
    /// Whether it takes `self`.
    pub(super) is_method: bool,
    /// Its parameters but for `self`.
    pub(super) inputs: Vec<Input>,
    /// The types that its result names.
    pub(super) output: BTreeSet<String>,
    pub(super) body: Block,
}

/// A parameter.
pub(super) struct Input {
    /// The names that it binds.
    pub(super) names: BTreeSet<String>,
    /// The types that it names.
    pub(super) types: BTreeSet<String>,
}

impl Input {
    /// Whether it is a text, of which the type does not say what is written in it.
    pub(super) fn is_text(&self) -> bool {
        is_text(&self.types)
    }
}

impl Function {
    /// Whether it gives a text, or fails.
    pub(super) fn gives_text(&self) -> bool {
        let is_kept = |it: &&String| !matches!(it.as_str(), "Result" | "Failure");
        is_text(&self.output.iter().filter(is_kept).cloned().collect())
    }
}

fn is_text(types: &BTreeSet<String>) -> bool {
    let of_text = |name: &String| TEXT_TYPES.contains(&name.as_str());
    !types.is_empty() && types.iter().all(of_text)
}

/// Some crates, read.
#[derive(Default)]
pub(super) struct Program {
    pub(super) functions: Vec<Function>,
    /// The functions of each name.
    by_name: BTreeMap<String, Vec<usize>>,
    /// The types that the fields of each type name.
    pub(super) fields: BTreeMap<String, BTreeSet<String>>,
    /// The types with a field of each name.
    pub(super) with_field: BTreeMap<String, BTreeSet<String>>,
    /// The types in each variant of an enumeration: `Command::Debate` holds `DebateArgs`.
    pub(super) variants: BTreeMap<(String, String), BTreeSet<String>>,
    /// The file that each type stands in.
    pub(super) type_files: BTreeMap<String, String>,
    /// The file of each module.
    files: BTreeMap<Vec<String>, String>,
    /// What each name means in each file.
    names: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Program {
    /// Reads `sources`; of those whose crate is not among `crates` the types alone.
    ///
    /// # Errors
    /// When one is not Rust.
    pub(super) fn read<'a>(
        sources: impl Iterator<Item = &'a SourceText>,
        crates: &[&str],
    ) -> Result<Self> {
        let mut program = Self::default();
        let mut files = Vec::new();
        for source in sources {
            let file = syn::parse_file(&source.text)
                .with_context(|| format!("{} is not Rust", source.path))?;
            let module = module_path(&source.path);
            program.files.insert(module.clone(), source.path.clone());
            files.push((source, module, file));
        }
        for (source, module, file) in &files {
            for item in &file.items {
                program.note_names(source, module, item);
            }
        }
        for (source, module, file) in &files {
            for item in &file.items {
                program.note_fields(source, module, item);
                if crates.contains(&source.crate_name()) {
                    program.note_functions(source, item);
                }
            }
        }
        Ok(program)
    }

    /// The path from the crate on that `path` means in `file`; itself where it is of no crate here.
    pub(super) fn full_path(&self, of: &Function, path: &[String]) -> Vec<String> {
        match path.split_first() {
            Some((first, rest)) if first == "Self" => {
                let mut full = of.path[..of.path.len() - 1].to_vec();
                full.extend(rest.iter().cloned());
                full
            }
            _ => self.path_from(&of.file, path),
        }
    }

    /// The path from the crate on that `path` means in `file`.
    fn path_from(&self, file: &str, path: &[String]) -> Vec<String> {
        let module = module_path(file);
        let (first, rest) = match path.split_first() {
            Some((first, rest)) => (first.as_str(), rest),
            None => return Vec::new(),
        };
        let names = self.names.get(file);
        let mut full = match names.and_then(|names| names.get(first)) {
            Some(named) => named.clone(),
            None => rooted(&module, first).unwrap_or_else(|| {
                let mut local = module.clone();
                local.push(first.to_owned());
                local
            }),
        };
        full.extend(rest.iter().cloned());
        self.defined_at(full)
    }

    /// Where the item at `path` is defined, which may be re-exported there.
    fn defined_at(&self, mut path: Vec<String>) -> Vec<String> {
        for _ in 0..MAX_EXPORTS {
            let exported = (1..path.len()).find_map(|end| {
                let file = self.files.get(&path[..end])?;
                let named = self.names.get(file)?.get(&path[end])?;
                (named[..] != path[..=end]).then_some((named, end))
            });
            let Some((named, end)) = exported else {
                break;
            };
            path = named.iter().chain(&path[end + 1..]).cloned().collect();
        }
        path
    }

    /// The types that `found` names in `file`: by their paths where they are known, else by their
    /// names.
    fn types(&self, file: &str, found: TypeNames) -> BTreeSet<String> {
        let types = found.0.into_iter().map(|path| {
            let full = self.path_from(file, &path).join("::");
            match self.type_files.contains_key(&full) {
                true => full,
                false => path.last().cloned().unwrap_or_default(),
            }
        });
        types.collect()
    }

    /// The function at `path`.
    pub(super) fn function(&self, path: &[String]) -> Option<usize> {
        let named = self.by_name.get(path.last()?)?;
        let mut named = named.iter().copied();
        named.find(|&at| self.functions[at].path == path)
    }

    /// The methods of this name that take so many values.
    pub(super) fn methods(&self, name: &str, values: usize) -> Vec<usize> {
        let named = self.by_name.get(name).into_iter().flatten().copied();
        let is_it = |it: &Function| it.is_method && it.inputs.len() == values;
        named.filter(|&at| is_it(&self.functions[at])).collect()
    }

    fn note_names(&mut self, source: &SourceText, module: &[String], item: &Item) {
        let (name, is_type) = match item {
            Item::Struct(item) => (&item.ident, true),
            Item::Enum(item) => (&item.ident, true),
            Item::Mod(item) => (&item.ident, false),
            Item::Use(item) => {
                return self.note_use(source, module, &item.tree, &mut Vec::new());
            }
            _ => return,
        };
        let mut path = module.to_vec();
        path.push(name.to_string());
        if is_type {
            self.type_files.insert(path.join("::"), source.path.clone());
        }
        let names = self.names.entry(source.path.clone()).or_default();
        names.insert(name.to_string(), path);
    }

    fn note_fields(&mut self, source: &SourceText, module: &[String], item: &Item) {
        let mut add = |name: &Ident, variant: Option<&Ident>, fields: &Fields| {
            let path = format!("{}::{name}", module.join("::"));
            let types = self.types(&source.path, types_in(|names| names.visit_fields(fields)));
            if let Some(variant) = variant {
                let key = (name.to_string(), variant.to_string());
                self.variants.insert(key, types.clone());
            }
            self.fields.entry(path.clone()).or_default().extend(types);
            for field in fields.iter().filter_map(|field| field.ident.as_ref()) {
                let with = self.with_field.entry(field.to_string()).or_default();
                with.insert(path.clone());
            }
        };
        match item {
            Item::Struct(item) => add(&item.ident, None, &item.fields),
            Item::Enum(item) => {
                for variant in &item.variants {
                    add(&item.ident, Some(&variant.ident), &variant.fields);
                }
            }
            _ => {}
        }
    }

    fn note_functions(&mut self, source: &SourceText, item: &Item) {
        match item {
            Item::Fn(item) => self.note_function(source, None, &item.sig, &item.block),
            Item::Impl(item) => {
                let Type::Path(owner) = &*item.self_ty else {
                    return;
                };
                let owner = owner.path.segments.last().map(|it| it.ident.to_string());
                for part in &item.items {
                    if let ImplItem::Fn(method) = part {
                        let owner = owner.as_ref();
                        self.note_function(source, owner, &method.sig, &method.block);
                    }
                }
            }
            _ => {}
        }
    }

    fn note_function(
        &mut self,
        source: &SourceText,
        owner: Option<&String>,
        signature: &Signature,
        body: &Block,
    ) {
        let owner_path = owner.map(|owner| {
            let path = self.path_from(&source.path, std::slice::from_ref(owner));
            path.join("::")
        });
        let owned = |types: TypeNames| {
            let mut types = self.types(&source.path, types);
            if let (true, Some(owner)) = (types.remove("Self"), &owner_path) {
                types.insert(owner.clone());
            }
            types
        };
        let inputs = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(Input {
                names: names_in(&typed.pat),
                types: owned(types_in(|names| names.visit_type(&typed.ty))),
            }),
            FnArg::Receiver(_) => None,
        });
        let output = match &signature.output {
            ReturnType::Type(_, output) => types_in(|names| names.visit_type(output)),
            ReturnType::Default => TypeNames::default(),
        };
        let mut path = module_path(&source.path);
        path.extend(owner.cloned());
        path.push(signature.ident.to_string());
        let inputs = inputs.collect();
        let output = owned(output);
        let named = self.by_name.entry(signature.ident.to_string()).or_default();
        named.push(self.functions.len());
        self.functions.push(Function {
            file: source.path.clone(),
            path,
            owner: owner_path,
            is_method: signature.receiver().is_some(),
            inputs,
            output,
            body: body.clone(),
        });
    }

    fn note_use(
        &mut self,
        source: &SourceText,
        module: &[String],
        tree: &UseTree,
        before: &mut Vec<String>,
    ) {
        let mut note = |name: String, path: &[String]| {
            let path = match path.split_first() {
                Some((first, rest)) => {
                    let mut full = rooted(module, first).unwrap_or_else(|| {
                        // A child, or a crate of others, of which nothing is looked up.
                        let mut child = module.to_vec();
                        child.push(first.clone());
                        child
                    });
                    full.extend(rest.iter().filter(|it| *it != "self").cloned());
                    full
                }
                None => return,
            };
            let names = self.names.entry(source.path.clone()).or_default();
            names.insert(name, path);
        };
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.note_use(source, module, &path.tree, before);
                before.pop();
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                let mut full = before.clone();
                full.push(name.clone());
                let last = before.last().cloned().unwrap_or_default();
                note(if name == "self" { last } else { name }, &full);
            }
            UseTree::Rename(rename) => {
                let mut full = before.clone();
                full.push(rename.ident.to_string());
                note(rename.rename.to_string(), &full);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_use(source, module, tree, before);
                }
            }
            UseTree::Glob(_) => {}
        }
    }
}

/// Where a path begins that starts with `first` in `module`; none where that is no root.
fn rooted(module: &[String], first: &str) -> Option<Vec<String>> {
    match first {
        "crate" => Some(module[..1].to_vec()),
        "self" => Some(module.to_vec()),
        "super" => Some(module[..module.len() - 1].to_vec()),
        other => Some(vec![other.strip_prefix("agon_")?.to_owned()]),
    }
}

/// The crate and the modules of the file at `path`, such as `crates/app/src/duel/setup.rs`.
fn module_path(path: &str) -> Vec<String> {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    let (name, modules) = (parts[1], &parts[3..]);
    let modules = modules.iter().filter(|it| !["lib", "main"].contains(*it));
    [name]
        .iter()
        .chain(modules)
        .map(|it| (*it).to_owned())
        .collect()
}

/// The names that a pattern binds.
pub(super) fn names_in(pattern: &Pat) -> BTreeSet<String> {
    #[derive(Default)]
    struct Names(BTreeSet<String>);
    impl Visit<'_> for Names {
        fn visit_pat_ident(&mut self, it: &syn::PatIdent) {
            self.0.insert(it.ident.to_string());
            syn::visit::visit_pat_ident(self, it);
        }
    }
    let mut names = Names::default();
    names.visit_pat(pattern);
    names.0
}

/// Every path in some types.
#[derive(Default)]
struct TypeNames(BTreeSet<Vec<String>>);

impl Visit<'_> for TypeNames {
    fn visit_path(&mut self, path: &syn::Path) {
        let names = path.segments.iter().map(|it| it.ident.to_string());
        self.0.insert(names.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, _: &syn::Attribute) {}

    fn visit_visibility(&mut self, _: &syn::Visibility) {}
}

fn types_in(visit: impl FnOnce(&mut TypeNames)) -> TypeNames {
    let mut names = TypeNames::default();
    visit(&mut names);
    names
}
