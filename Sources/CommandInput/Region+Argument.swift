public import ArgumentParser
public import TextModel

extension Region: ExpressibleByArgument {
    /// Parses four fractions of the upright picture, such as `0,0.8,1,0.2`.
    public init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count else { return nil }
        self.init(fractions: known)
    }
}
