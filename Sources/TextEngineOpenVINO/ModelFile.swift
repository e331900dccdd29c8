/// Which numbers a network calculates with; chosen by measurement, model by model.
enum Precision: String, Sendable {
    case float32 = "f32"
    /// Falls back to 32 bits where the processor has no bfloat16.
    case bfloat16 = "bf16"
}

/// A model file and how it is to be run.
struct ModelFile: Sendable, Hashable {
    let path: String
    let precision: Precision
}
