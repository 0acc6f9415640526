/** The power of ten that leaves 15 digits before the point, of sizes from 1e-4 to 1e6. */
export function scaleOf(size: number): number {
  if (size < 1) {
    if (size < 0.01) return size < 0.001 ? 1e18 : 1e17;
    return size < 0.1 ? 1e16 : 1e15;
  }
  if (size < 1e3) return size < 10 ? 1e14 : size < 100 ? 1e13 : 1e12;
  return size < 1e4 ? 1e11 : size < 1e5 ? 1e10 : 1e9;
}
