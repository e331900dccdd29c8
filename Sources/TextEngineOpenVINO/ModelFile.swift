/// Which numbers a network calculates with; chosen by measurement, model by model.
enum Precision: String, Sendable {
    case float32 = "f32"
    /// Falls back to 32 bits where the processor has no bfloat16.
    case bfloat16 = "bf16"
}

/// Whether a network is compiled once for inputs of every width, or for each input shape by itself.
enum Compilation: Sendable {
    /// One network: it starts at once and takes little memory. Recognisers lose nothing by it.
    case everyWidth(height: Int)
    /// One network for each shape: detectors are a third faster so.
    case eachShape
}

/// A model file and how it is to be run.
struct ModelFile: Sendable {
    let path: String
    let precision: Precision
    let compilation: Compilation
}
