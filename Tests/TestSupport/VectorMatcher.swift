internal import Foundation

/// Rules of Tests/Vectors/README.md for matching an expected line.
package enum VectorMatcher {
    /// Description of the mismatch with `found`; `nil` if there is none.
    package static func mismatch(_ expected: Any, _ found: Any?, at place: String = "line") -> String? {
        if let rule = expected as? [String: Any], let name = rule.keys.first(where: { $0.hasPrefix("$") }) {
            return self.follows(rule, name, found, at: place) ? nil : "\(place) does not follow \(rule)"
        }
        switch (expected, found) {
        case (let expected as [String: Any], let found as [String: Any]):
            return expected.keys.sorted().lazy.compactMap { name in
                expected[name].flatMap { self.mismatch($0, found[name], at: "\(place).\(name)") }
            }.first
        case (let expected as [Any], let found as [Any]) where expected.count == found.count:
            return expected.indices.lazy.compactMap { index in
                self.mismatch(expected[index], found[index], at: "\(place)[\(index)]")
            }.first
        case (let expected as NSObject, let found as NSObject) where expected.isEqual(found):
            return nil
        default:
            return "\(place) is \(found ?? "absent") instead of \(expected)"
        }
    }

    private static func follows(_ rule: [String: Any], _ name: String, _ found: Any?, at place: String) -> Bool {
        switch (name, rule[name]) {
        case ("$absent", _):
            return found == nil
        case ("$contains", let part as String):
            return (found as? String)?.contains(part) == true
        case ("$near", let wanted as [Double]):
            guard let found = found as? [Double], found.count == wanted.count, let within = rule["within"] as? Double
            else { return false }
            return zip(found, wanted).allSatisfy { abs($0 - $1) <= within }
        case ("$prefix", let wanted as [Any]):
            guard let found = found as? [Any] else { return false }
            return self.mismatch(wanted, Array(found.prefix(wanted.count)), at: place) == nil
        case ("$type", let type as String):
            switch type {
            case "integer": return found is UInt64
            case "number": return found is Double
            case "string": return found is String
            default: return false
            }
        default:
            return false
        }
    }
}
