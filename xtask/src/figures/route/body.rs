//! What the body of a function calls and binds, in the order in which it stands there.

use std::collections::BTreeSet;

use syn::{Arm, Block, Expr, Macro, Member, Pat, parse::Parser, visit::Visit};
use syn::{punctuated::Punctuated, spanned::Spanned, token::Comma};

use super::program::names_in;

/// A call, or a function that is handed on as a value.
pub(super) struct Call {
    /// The path as it is written; of a method its name alone.
    pub(super) path: Vec<String>,
    pub(super) is_method: bool,
    /// Its values, and before them what a method is called on.
    pub(super) values: Vec<Expr>,
    /// Its line and column.
    pub(super) at: (usize, usize),
}

/// Calls and bindings.
#[derive(Default)]
pub(super) struct Body {
    pub(super) calls: Vec<Call>,
    /// The names of each binding or assignment, and where they come from.
    pub(super) bindings: Vec<(BTreeSet<String>, Expr)>,
    /// The one variant of `Command` whose arms are taken.
    command: &'static str,
}

impl Body {
    /// The body of a function, where only the command `command` is dispatched.
    pub(super) fn of(block: &Block, command: &'static str) -> Self {
        let mut body = Self {
            command,
            ..Self::default()
        };
        body.visit_block(block);
        body
    }

    /// The calls in an expression, by their places.
    pub(super) fn places(expression: &Expr, command: &'static str) -> Vec<(usize, usize)> {
        let mut body = Self {
            command,
            ..Self::default()
        };
        body.visit_expr(expression);
        body.calls.into_iter().map(|call| call.at).collect()
    }

    fn is_taken(&self, arm: &Arm) -> bool {
        let path = match &arm.pat {
            Pat::TupleStruct(pattern) => &pattern.path,
            Pat::Struct(pattern) => &pattern.path,
            Pat::Path(pattern) => &pattern.path,
            _ => return true,
        };
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        !matches!(&names[..], [kind, name] if kind == "Command" && name != self.command)
    }

    fn push(&mut self, path: Vec<String>, is_method: bool, values: Vec<Expr>, at: &impl Spanned) {
        let at = at.span().start();
        self.calls.push(Call {
            path,
            is_method,
            values,
            at: (at.line, at.column),
        });
    }
}

impl<'ast> Visit<'ast> for Body {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        for value in &call.args {
            self.visit_expr(value);
        }
        match &*call.func {
            Expr::Path(path) => {
                let values = call.args.iter().cloned().collect();
                self.push(names(&path.path), false, values, &call.func);
            }
            other => self.visit_expr(other),
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        syn::visit::visit_expr_method_call(self, call);
        let receiver = std::iter::once(&*call.receiver);
        let values = receiver.chain(&call.args).cloned().collect();
        self.push(vec![call.method.to_string()], true, values, &call.method);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if path.path.segments.len() > 1 {
            self.push(names(&path.path), false, Vec::new(), path);
        }
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        self.visit_expr(&it.expr);
        for arm in it.arms.iter() {
            if self.is_taken(arm) {
                self.bindings.push((names_in(&arm.pat), (*it.expr).clone()));
                self.visit_arm(arm);
            }
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.bindings
                .push((names_in(&local.pat), (*init.expr).clone()));
        }
        syn::visit::visit_local(self, local);
    }

    fn visit_expr_let(&mut self, it: &'ast syn::ExprLet) {
        self.bindings.push((names_in(&it.pat), (*it.expr).clone()));
        syn::visit::visit_expr_let(self, it);
    }

    fn visit_expr_for_loop(&mut self, it: &'ast syn::ExprForLoop) {
        self.bindings.push((names_in(&it.pat), (*it.expr).clone()));
        syn::visit::visit_expr_for_loop(self, it);
    }

    fn visit_expr_assign(&mut self, it: &'ast syn::ExprAssign) {
        self.bindings
            .push((Names::of(&it.left).found, (*it.right).clone()));
        syn::visit::visit_expr_assign(self, it);
    }

    fn visit_macro(&mut self, it: &'ast Macro) {
        let values = Punctuated::<Expr, Comma>::parse_terminated.parse2(it.tokens.clone());
        for value in values.into_iter().flatten() {
            // What is parsed here does not live as long as the file.
            let inner = Body::of(&syn::parse_quote!({ #value }), self.command);
            self.calls.extend(inner.calls);
            self.bindings.extend(inner.bindings);
        }
    }
}

/// The names and fields in an expression.
#[derive(Default)]
pub(super) struct Names {
    pub(super) found: BTreeSet<String>,
    pub(super) fields: BTreeSet<String>,
}

impl Names {
    pub(super) fn of(expression: &Expr) -> Self {
        let mut names = Self::default();
        names.visit_expr(expression);
        names
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.found
            .extend(path.path.get_ident().map(ToString::to_string));
    }

    fn visit_member(&mut self, member: &'ast Member) {
        if let Member::Named(name) = member {
            self.fields.insert(name.to_string());
        }
    }
}

fn names(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|it| it.ident.to_string())
        .collect()
}
