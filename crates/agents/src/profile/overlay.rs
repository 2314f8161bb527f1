//! Tables laid over each other.

/// Lays `over` over `base`: tables entry by entry, lists and values replaced.
pub(super) fn overlay_table(base: &mut toml::Table, over: &toml::Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(toml::Value::Table(base)), toml::Value::Table(over)) => overlay_table(base, over),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}
