/// Picture of the self-test: one word, as a JPEG.
package enum SelfTestPicture {
    /// The file.
    package static var jpeg: [UInt8] { PackageResources.selftest_jpg }
    /// The text in the picture.
    package static let text = "READY"
}
