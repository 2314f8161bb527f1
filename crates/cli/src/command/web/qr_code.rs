//! Draws an address as a QR code, for the camera of a phone.

use qrcodegen::{QrCode, QrCodeEcc};

/// The width of the empty frame, in modules. The standard asks for 4; cameras read 2.
const FRAME: i32 = 2;

/// Returns the lines of the code, two rows of it in each; empty if the text is too long.
///
/// Light modules are drawn, because most terminals are dark. Cameras also read the inverse.
pub(super) fn draw(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else {
        return Vec::new();
    };
    let end = code.size() + FRAME;
    // Outside of the code, every module is light.
    let is_light = |x: i32, y: i32| !code.get_module(x, y);
    let rows = (-FRAME..end).step_by(2);
    rows.map(|y| {
        let half = |x: i32| match (is_light(x, y), y + 1 < end && is_light(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        (-FRAME..end).map(half).collect()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_a_frame_and_its_three_squares() {
        let lines = draw("http://192.168.1.5:2466/?key=0123456789abcdef0123456789abcdef");
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        assert!(lines[0].chars().all(|c| c == '█'), "the frame is light");
        // The dark outline of the squares at the upper left and the upper right.
        let first: Vec<char> = lines[1].chars().collect();
        assert_eq!(first[2..9], [' ', '▄', '▄', '▄', '▄', '▄', ' ']);
        assert_eq!(first[width - 9..width - 2], first[2..9]);
        assert!(draw(&"x".repeat(10_000)).is_empty());
    }
}
