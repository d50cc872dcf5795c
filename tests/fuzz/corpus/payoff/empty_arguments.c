#define F(x, y) x y
#define G() F(,)F(
#define A A F(A, G)
F(, ) F(,
) G(), ) A
