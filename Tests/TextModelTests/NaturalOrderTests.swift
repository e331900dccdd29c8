import Testing

import TextModel

@Suite struct NaturalOrderTests {
    @Test func numbersCountAsNumbers() {
        let names = [
            "frame10.jpg", "frame2.jpg", "a", "frame1b.jpg", "frame1.jpg", "Frame3.jpg", "frame02.jpg", "b7c10", "b7c9",
        ]
        #expect(
            names.sorted(by: NaturalOrder.precedes)
                == [
                    "Frame3.jpg", "a", "b7c9", "b7c10", "frame1.jpg", "frame1b.jpg", "frame02.jpg", "frame2.jpg",
                    "frame10.jpg",
                ]
        )
    }

    @Test func numbersOfAnyLengthAreCompared() {
        let long = String(repeating: "9", count: 50)
        #expect(NaturalOrder.precedes("x\(long)", "x1\(long)"))
        #expect(!NaturalOrder.precedes("x1\(long)", "x\(long)"))
    }

    @Test func theOrderIsStrict() {
        let names = ["", "1", "01", "001", "a1", "a01", "1a", "a"]
        for a in names {
            for b in names {
                #expect((NaturalOrder.precedes(a, b) || NaturalOrder.precedes(b, a)) == (a != b))
                #expect(!(NaturalOrder.precedes(a, b) && NaturalOrder.precedes(b, a)))
            }
        }
    }
}
