//! Reads a graph from a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use agon_argue::format::{GraphWithNames, ReadError, aif, apx, bag, i23, tgf};
use agon_argue::{Af, Qbaf};
use agon_caller::{Caller, Code, Failure, Hint};
use agon_report::text::plain_line;

use crate::request::FileFormat;

// Room for about 90 million edges of 12 bytes, all in memory. The largest graphs in `cargo xtask
// bench` have a million edges, 12 MB.
/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// A graph read from a file.
pub(crate) struct NamedGraph {
    /// The format it was read as.
    pub(crate) format: FileFormat,
    /// The names of the nodes, in order.
    pub(crate) names: Vec<String>,
    /// The graph itself.
    pub(crate) graph: FileGraph,
}

/// The edges of a graph in a file.
pub(crate) enum FileGraph {
    /// Only attacks.
    Attacks(Af),
    /// Weighted attacks and supports.
    Weighted(Qbaf),
}

/// Returns the format for the extension of this file name.
pub(crate) fn format_by_extension(name: &str) -> Option<FileFormat> {
    match Path::new(name).extension()?.to_str()? {
        "i23" | "af" => Some(FileFormat::I23),
        "apx" => Some(FileFormat::Apx),
        "tgf" => Some(FileFormat::Tgf),
        "bag" => Some(FileFormat::Bag),
        "json" | "aif" => Some(FileFormat::Aif),
        _ => None,
    }
}

/// Reads the graph in the file `name`; `input` is the content for `-`.
///
/// # Errors
///
/// If it cannot be read, or is not a graph in its format.
pub(crate) fn read(
    caller: &Caller,
    name: &str,
    from: Option<FileFormat>,
    input: &mut dyn Read,
) -> Result<NamedGraph, Failure> {
    let shown = plain_line(name);
    let Some(format) = from.or_else(|| format_by_extension(name)) else {
        let message = format!("cannot tell the format of {shown} from its extension");
        return Err(Failure::new(Code::MissingParameter, message)
            .hint(
                Hint::new("name the format: ")
                    .flag_with("from", "i23")
                    .text(", apx, tgf, bag or aif"),
            )
            .parameter("from"));
    };
    let failed = |error: &std::io::Error| {
        let message = format!("cannot read {shown}: {error}");
        Failure::new(Code::Input, message).parameter("graph")
    };
    let mut bytes = Vec::new();
    let read = if name == "-" {
        input.take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        let file = File::open(caller.cwd.join(name)).map_err(|error| failed(&error))?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("{shown} is too large: the limit is {MAX_BYTES} bytes");
        return Err(Failure::new(Code::Input, message).parameter("graph"));
    }
    let bytes = decode_marked(bytes);
    let wrong = |error: ReadError| {
        let message = format!(
            "{shown}:{}: {}",
            error.line,
            plain_line(&error.cause.to_string())
        );
        Failure::new(Code::NotAGraph, message)
            .hint(
                Hint::new(format!("it was read as {}", format.name()))
                    .then(Hint::new("choose another format with ").flag("from")),
            )
            .parameter("graph")
    };
    let text = || {
        std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            let message = format!("{shown}:{line}: not UTF-8");
            Failure::new(Code::NotAGraph, message).parameter("graph")
        })
    };
    let (names, graph) = match format {
        FileFormat::I23 => {
            let af = i23::read(&bytes).map_err(wrong)?;
            let names = (1..=af.len()).map(|number| number.to_string());
            (names.collect(), FileGraph::Attacks(af))
        }
        FileFormat::Apx => {
            let GraphWithNames { graph, names } = apx::read(text()?).map_err(wrong)?;
            (names, FileGraph::Attacks(graph))
        }
        FileFormat::Tgf => split_weighted_graph(tgf::read(text()?).map_err(wrong)?),
        FileFormat::Bag => split_weighted_graph(bag::read(text()?).map_err(wrong)?),
        FileFormat::Aif => {
            let graph = aif::read(text()?).map_err(wrong)?.to_graph();
            let graph = graph.map_err(|error| {
                let message = format!("{shown}: {error}");
                Failure::new(Code::NotAGraph, message).parameter("graph")
            });
            split_weighted_graph(graph?)
        }
    };
    Ok(NamedGraph {
        format,
        names,
        graph,
    })
}

/// Removes a byte-order mark, and converts UTF-16, which is known by its mark, to UTF-8.
fn decode_marked(bytes: Vec<u8>) -> Vec<u8> {
    let units = |of_pair: fn([u8; 2]) -> u16| {
        let pairs = bytes.get(2..).unwrap_or_default().chunks(2);
        // Replace half a code unit at the end by a character that no format allows, so that parsing
        // fails.
        let units = pairs.map(|pair| pair.try_into().map_or(0xfffd, of_pair));
        let units: Vec<u16> = units.collect();
        String::from_utf16_lossy(&units).into_bytes()
    };
    match bytes.as_slice() {
        [0xef, 0xbb, 0xbf, text @ ..] => text.to_vec(),
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        _ => bytes,
    }
}

/// Returns a weighted graph even if it has no supports and equal weights.
fn split_weighted_graph(named: GraphWithNames<Qbaf>) -> (Vec<String>, FileGraph) {
    (named.names, FileGraph::Weighted(named.graph))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_graph() {
        let text = "arg(é).\narg(b).\n";
        let utf_16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            let units = text.encode_utf16().flat_map(bytes);
            mark.into_iter().chain(units).collect()
        };
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            utf_16([0xff, 0xfe], u16::to_le_bytes),
            utf_16([0xfe, 0xff], u16::to_be_bytes),
        ] {
            assert_eq!(decode_marked(bytes), text.as_bytes());
        }
    }

    #[test]
    fn bytes_without_a_mark_stay_as_they_are() {
        for bytes in [&b""[..], b"\xef\xbb", b"p af 1\n", b"\xff"] {
            assert_eq!(decode_marked(bytes.to_vec()), bytes);
        }
    }
}
