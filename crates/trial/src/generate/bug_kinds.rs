//! The kinds of bugs that are planted: a function for each, right and wrong.

/// A function that may have a bug.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) arguments: &'static str,
    /// What it does.
    pub(super) about: &'static str,
    /// A comparison that holds for the right body and not for the wrong one.
    pub(super) example: &'static str,
    pub(super) right: &'static str,
    pub(super) wrong: &'static str,
}

macro_rules! kinds {
    ($($name:ident($arguments:literal) $about:literal, $example:literal:
        $right:literal => $wrong:literal;)*) => {
        /// All kinds.
        pub(super) const KINDS: &[Kind] = &[$(Kind {
            name: stringify!($name),
            arguments: $arguments,
            about: $about,
            example: $example,
            right: $right,
            wrong: $wrong,
        },)*];
    };
}

kinds! {
    // A range that ends too early.
    sum_up_to("n") "Return the sum of the whole numbers from 1 to n, n included.",
        "sum_up_to(4) == 10":
        "return sum(range(1, n + 1))" => "return sum(range(1, n))";
    // A division that rounds down.
    pages("items, size") "Return how many pages of `size` items are needed for all items.",
        "pages(11, 5) == 3":
        "return (items + size - 1) // size" => "return items // size";
    // A limit that is excluded.
    is_adult("age") "Return whether a person of this age is 18 or older.",
        "is_adult(18) is True":
        "return age >= 18" => "return age > 18";
    // A bad start value.
    largest("values") "Return the largest of the values, which may all be negative.",
        "largest([-3, -1]) == -1":
        "best = values[0]\nfor value in values:\n    if value > best:\n        best = value\nreturn best" =>
        "best = 0\nfor value in values:\n    if value > best:\n        best = value\nreturn best";
    // Operands in the wrong order.
    change("paid, price") "Return the change that a customer gets back.",
        "change(20, 15) == 5":
        "return paid - price" => "return price - paid";
    // A missing case for nothing.
    average("values") "Return the mean of the values, and 0 if there are none.",
        "average([]) == 0":
        "if not values:\n    return 0\nreturn sum(values) / len(values)" =>
        "return sum(values) / len(values)";
    // `or` in place of `and`.
    in_stock("count, is_locked") "Return whether an item can be sold: some are left, and it is not locked.",
        "in_stock(3, True) is False":
        "return count > 0 and not is_locked" => "return count > 0 or not is_locked";
    // The list of the caller is changed.
    with_item("items, item") "Return a new list with the item added. Leaves the given list as it was.",
        "(lambda old: (with_item(old, 2), old)[1])([1]) == [1]":
        "copy = list(items)\ncopy.append(item)\nreturn copy" =>
        "copy = items\ncopy.append(item)\nreturn copy";
    // The wrong end of a list.
    latest("entries") "Return the entry that was added last. Entries are in the order of addition.",
        "latest([4, 5, 6]) == 6":
        "return entries[-1]" => "return entries[0]";
    // A loop that ends after the first element.
    has_negative("values") "Return whether any of the values is below zero.",
        "has_negative([1, -1]) is True":
        "for value in values:\n    if value < 0:\n        return True\nreturn False" =>
        "for value in values:\n    return value < 0\nreturn False";
    // A wrong unit.
    wait_ms("minutes") "Return the waiting time in milliseconds.",
        "wait_ms(1) == 60000":
        "return minutes * 60 * 1000" => "return minutes * 60 * 100";
    // A comparison of texts in place of numbers.
    sorted_sizes("sizes") "Return the sizes, texts of whole numbers, from the smallest number to the largest.",
        "sorted_sizes(['10', '9']) == ['9', '10']":
        "return sorted(sizes, key=int)" => "return sorted(sizes)";
    // A count that is never reset.
    longest_run("values") "Return the length of the longest run of equal neighbours.",
        "longest_run([1, 1, 2, 2, 2, 1]) == 3":
        "best = run = 0\nlast = None\nfor value in values:\n    run = run + 1 if value == last else 1\n    last = value\n    best = max(best, run)\nreturn best" =>
        "best = run = 0\nlast = None\nfor value in values:\n    run = run + 1\n    last = value\n    best = max(best, run)\nreturn best";
    // A default that is shared between calls.
    tagged("tag, tags=None") "Return the tags with this one added. Calls without tags start from none.",
        "(tagged('a'), tagged('b'))[1] == ['b']":
        "return (tags or []) + [tag]" =>
        "kept = tagged.__dict__.setdefault('kept', [])\nkept.extend(tags or [])\nkept.append(tag)\nreturn list(kept)";
    // A rounding in the wrong place.
    total_cents("prices, count") "Return the price in whole cents of `count` of each item, rounded once at the end.",
        "total_cents([0.4, 0.4], 3) == 2":
        "return round(sum(prices) * count)" => "return sum(round(price) for price in prices) * count";
}
