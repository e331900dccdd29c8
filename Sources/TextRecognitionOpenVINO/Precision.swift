/// Number format of a network's calculations.
enum Precision: String, Sendable {
    case float32 = "f32"
    /// Brain floating point; 32-bit floating point on processors without bfloat16.
    case bfloat16 = "bf16"
}
