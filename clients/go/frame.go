package glyphwire

import "encoding/binary"

// Format is how a payload holds the pixels of a picture.
type Format uint8

// The formats of Protocol.md. The zero value stands for JPEG.
const (
	JPEG         Format = 1
	BGRALZ4Block Format = 2
	BGRA         Format = 3
	BGRALZ4Frame Format = 4
	Gray         Format = 5
	GrayLZ4Block Format = 6
)

// Orientation is how a stored picture must be turned to stand upright, with the values of EXIF tag 0x0112.
type Orientation uint8

// The orientations of EXIF. The zero value uses the tag of a JPEG, or else Up.
const (
	Unspecified   Orientation = 0
	Up            Orientation = 1
	UpMirrored    Orientation = 2
	Down          Orientation = 3
	DownMirrored  Orientation = 4
	LeftMirrored  Orientation = 5
	Right         Orientation = 6
	RightMirrored Orientation = 7
	Left          Orientation = 8
)

// Frame is a picture to be read. A JPEG needs nothing but its Payload.
type Frame struct {
	// Payload is a JPEG file, or rows of pixels, raw or packed with LZ4. It must not change until Send returns.
	Payload []byte
	// Format is that of the payload; JPEG by default.
	Format Format
	// Width and Height are in pixels; 0 for a JPEG.
	Width, Height uint16
	// BytesPerRow is from the start of one row to the start of the next; 0 for rows without padding, and for a JPEG.
	BytesPerRow uint32
	// Orientation is how the camera was held.
	Orientation Orientation
	// CapturedUS is the capture time in microseconds of the caller's clock, repeated in the result; 0 if unknown.
	CapturedUS uint64
	// Sequence is the caller's number, repeated in the result; nil numbers the frame after the one before.
	Sequence *uint64
}

type messageType uint8

const (
	frameMessage     messageType = 1
	configureMessage messageType = 2
	pingMessage      messageType = 3
	endMessage       messageType = 4
	statsMessage     messageType = 5
)

const (
	headerBytes = 32
	// The length field does not count itself.
	lengthBytes = 4
)

// messageHeader returns the header of a message other than a frame.
func messageHeader(kind messageType, sequence, capturedUS uint64, payloadBytes int) []byte {
	header := make([]byte, headerBytes)
	binary.BigEndian.PutUint32(header, uint32(headerBytes-lengthBytes+payloadBytes))
	header[4] = byte(kind)
	binary.BigEndian.PutUint64(header[8:], sequence)
	binary.BigEndian.PutUint64(header[16:], capturedUS)
	return header
}

// header returns the 32 bytes that precede the payload.
func (f *Frame) header(sequence uint64) []byte {
	header := messageHeader(frameMessage, sequence, f.CapturedUS, len(f.Payload))
	header[5] = byte(f.Format)
	if f.Format == 0 {
		header[5] = byte(JPEG)
	}
	header[6] = byte(f.Orientation)
	binary.BigEndian.PutUint16(header[24:], f.Width)
	binary.BigEndian.PutUint16(header[26:], f.Height)
	binary.BigEndian.PutUint32(header[28:], f.BytesPerRow)
	return header
}
