/// The form in which a network's convolutions are stored; `models/build` makes all of them.
package enum ModelVariant: String, CaseIterable, Sendable {
    /// Floating point, for processors that gain nothing by integers, as far as is known. On arm64 it has not been tried.
    case float32
    /// 8-bit integers that are so small that AVX2 can add two products in 16 bits.
    case int8AVX2 = "int8-avx2"
    /// 8-bit integers, for the vector neural network instructions of x86-64, which have had 512 bits since 2019 and 256 since
    /// 2021.
    case int8VNNI = "int8-vnni"
}
