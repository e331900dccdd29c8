//! Messages as bytes, with and without `std`.

use glyphwire::{Format, Frame, Header, MessageType, Orientation};

#[test]
fn every_field_has_its_place() {
    let frame = Frame {
        format: Format::GRAY,
        payload: b"rows",
        width: 0x0304,
        height: 0x0506,
        bytes_per_row: 0x0708_090a,
        orientation: Orientation::LEFT,
        captured_us: 0x0b0c_0d0e_0f10_1112,
        sequence: None,
    };
    let header = frame.header(0x0102).unwrap();
    assert_eq!(header.length(), 32);
    let bytes = [
        0, 0, 0, 0x20, 1, 5, 8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 3, 4, 5, 6,
        7, 8, 9, 0x0a,
    ];
    assert_eq!(header.encode(), bytes);
}

#[test]
fn fields_that_are_not_used_are_0() {
    let bytes = Header::new(MessageType::Stats, 6, 0).unwrap().encode();
    assert_eq!(bytes[..16], [0, 0, 0, 28, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6]);
    assert_eq!(bytes[16..], [0; 16]);
}

#[test]
fn no_header_can_tell_of_a_payload_of_4_gib() {
    assert!(Header::new(MessageType::Frame, 1, u32::MAX as usize - 28).is_some());
    assert!(Header::new(MessageType::Frame, 1, u32::MAX as usize - 27).is_none());
    assert!(Header::new(MessageType::Frame, 1, usize::MAX).is_none());
}
