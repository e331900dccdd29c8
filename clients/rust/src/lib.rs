#![cfg_attr(feature = "std", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "std"), doc = "Messages for Glyphwire servers, as bytes.")]
#![cfg_attr(not(feature = "std"), no_std)]

mod message;
pub use message::{Format, Frame, Header, MessageType, Orientation, HEADER_BYTES};

#[cfg(feature = "std")]
mod connection;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
pub mod json;
#[cfg(feature = "std")]
mod line;
#[cfg(feature = "std")]
mod options;
#[cfg(feature = "std")]
mod reconnect;
#[cfg(feature = "std")]
mod result;
#[cfg(feature = "std")]
mod socket;
#[cfg(feature = "std")]
mod state;
#[cfg(feature = "std")]
mod stream;

#[cfg(feature = "std")]
pub use {
    connection::{Connection, Lines, Results, Settings, PORT},
    error::{Error, ErrorCode},
    line::ServerLine,
    options::{Options, Region},
    reconnect::ReconnectPolicy,
    result::{Candidate, FrameResult, FrameWarning, Scores, TextChange, TextCharacter, TextLine, TextMatch, TextWord},
};
