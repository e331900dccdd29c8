extension String {
    /// Primary subtag of a BCP 47 code, such as `pt` of `pt-BR`, in small letters.
    package var primaryLanguageSubtag: String { self.prefix { $0 != "-" && $0 != "_" }.lowercased() }
}
