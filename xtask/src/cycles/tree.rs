//! The modules of a crate, found like the compiler does, without its tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use syn::{Attribute, File, Item, UseTree, Visibility};

/// Every module of a crate by its path; the root's path is empty.
pub(super) struct Tree {
    pub(super) modules: BTreeMap<Vec<String>, Module>,
}

/// One module.
#[derive(Default)]
pub(super) struct Module {
    /// Its items, without inline modules and tests.
    pub(super) items: Vec<Item>,
    /// Names defined here.
    pub(super) defined: Vec<String>,
    /// Names re-exported here: the name, and the path as written.
    pub(super) exported: Vec<(String, Vec<String>)>,
    /// Modules from which everything is re-exported here.
    pub(super) globs: Vec<Vec<String>>,
}

impl Tree {
    /// Reads the crate whose root is the file `root`.
    ///
    /// # Errors
    /// If a file of it cannot be read or is not valid Rust.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut tree = Self {
            modules: BTreeMap::new(),
        };
        let folder = root.parent().unwrap_or(root).to_owned();
        let file = parse(root)?;
        tree.add(Vec::new(), file.items, &Folders::both(&folder))?;
        Ok(tree)
    }

    /// A crate given as a single text, with inline modules.
    #[cfg(test)]
    pub(super) fn of(text: &str) -> Self {
        let mut tree = Self {
            modules: BTreeMap::new(),
        };
        let file = syn::parse_file(text).unwrap();
        let nowhere = Folders::both(Path::new(""));
        tree.add(Vec::new(), file.items, &nowhere).unwrap();
        tree
    }

    /// Returns whether there is a module at `path`.
    pub(super) fn has(&self, path: &[String]) -> bool {
        self.modules.contains_key(path)
    }

    /// Adds a module and its submodules. Merges it into an existing one of the same path, of which
    /// each build has only one.
    fn add(&mut self, path: Vec<String>, items: Vec<Item>, folders: &Folders) -> Result<()> {
        let mut module = self.modules.remove(&path).unwrap_or_default();
        for item in items {
            if attributes(&item).iter().any(is_test) {
                continue;
            }
            let Item::Mod(child) = item else {
                module.note(&item);
                module.items.push(item);
                continue;
            };
            let name = child.ident.to_string();
            let mut below = path.clone();
            below.push(name.clone());
            let inner = folders.children.join(&name);
            match child.content {
                Some((_, items)) => self.add(below, items, &Folders::both(&inner))?,
                None => {
                    let file = folders.file(&child.attrs, &name)?;
                    let named = file.parent().unwrap_or(&inner).to_owned();
                    let items = parse(&file)?.items;
                    self.add(
                        below,
                        items,
                        &Folders {
                            children: inner,
                            named,
                        },
                    )?;
                }
            }
        }
        self.modules.insert(path, module);
        Ok(())
    }
}

impl Module {
    fn note(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Use(item) if !matches!(item.vis, Visibility::Inherited) => {
                return self.export(&item.tree, &mut Vec::new());
            }
            Item::Macro(item) => match &item.ident {
                Some(name) => name,
                None => return,
            },
            _ => return,
        };
        self.defined.push(name.to_string());
    }

    fn export(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.export(&path.tree, before);
                before.pop();
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                let mut full = before.clone();
                full.push(name.clone());
                self.exported.push((name, full));
            }
            UseTree::Rename(rename) => {
                let mut full = before.clone();
                full.push(rename.ident.to_string());
                self.exported.push((rename.rename.to_string(), full));
            }
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.export(tree, before);
                }
            }
        }
    }
}

fn parse(path: &Path) -> Result<File> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    syn::parse_file(&text).with_context(|| format!("{} is not Rust", path.display()))
}

/// The folders that contain the files of a module's children.
struct Folders {
    /// Children without an attribute, by name.
    children: PathBuf,
    /// Children with a `#[path]` attribute.
    named: PathBuf,
}

impl Folders {
    fn both(folder: &Path) -> Self {
        Self {
            children: folder.to_owned(),
            named: folder.to_owned(),
        }
    }

    /// The file of the child `name`.
    fn file(&self, attributes: &[Attribute], name: &str) -> Result<PathBuf> {
        if let Some(path) = path_attribute(attributes) {
            return Ok(self.named.join(path));
        }
        let folder = &self.children;
        let beside = folder.join(format!("{name}.rs"));
        let inside = folder.join(name).join("mod.rs");
        match (beside.exists(), inside.exists()) {
            (true, _) => Ok(beside),
            (false, true) => Ok(inside),
            (false, false) => {
                anyhow::bail!("the module {name} has no file in {}", folder.display())
            }
        }
    }
}

/// The value of `#[path = "…"]`.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let syn::Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        let syn::Expr::Lit(literal) = &pair.value else {
            return None;
        };
        match &literal.lit {
            syn::Lit::Str(text) if pair.path.is_ident("path") => Some(text.value()),
            _ => None,
        }
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns whether an item exists only in tests: `#[test]`, or `#[cfg(…)]` that requires `test`.
pub(super) fn is_test(attribute: &Attribute) -> bool {
    if attribute.path().is_ident("test") {
        return true;
    }
    if !attribute.path().is_ident("cfg") {
        return false;
    }
    let Ok(list) = attribute.meta.require_list() else {
        return false;
    };
    let text = list.tokens.to_string();
    text == "test" || text.starts_with("all (test") || text.starts_with("all(test")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names defined by each module of a crate with these files.
    fn defined(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::read(&folder.path().join("lib.rs")).unwrap();
        let names = |(path, module): (Vec<String>, Module)| (path.join("::"), module.defined);
        tree.modules.into_iter().map(names).collect()
    }

    #[test]
    fn a_path_is_beside_its_file_and_one_module_of_each_build_is_one_of_all() {
        let found = defined(&[
            ("lib.rs", "mod a;"),
            (
                "a.rs",
                "#[cfg(unix)] mod b; #[cfg(not(unix))] #[path = \"a/c.rs\"] mod b;",
            ),
            ("a/b.rs", "struct OnUnix;"),
            ("a/c.rs", "#[path = \"d.rs\"] mod e; struct Elsewhere;"),
            ("a/d.rs", "fn deep() {}"),
        ]);
        let expected = [
            ("", vec![]),
            ("a", vec![]),
            ("a::b", vec!["OnUnix", "Elsewhere"]),
            ("a::b::e", vec!["deep"]),
        ];
        let expected = expected.map(|(path, names)| {
            let names = names.into_iter().map(str::to_owned).collect();
            (path.to_owned(), names)
        });
        assert_eq!(found, expected);
    }
}
