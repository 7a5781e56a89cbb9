/** Returns the width and height of `1536x1024` or `3:2`; `undefined` for other values, such as `auto`. */
export function sidesOf(size: string | undefined): readonly [width: number, height: number] | undefined {
  const [, width, height] = /^(\d{1,5})[x:](\d{1,5})$/.exec(size ?? '') ?? []
  const sides = [Number(width), Number(height)] as const
  return sides.every((side) => side > 0) ? sides : undefined
}

/** Returns the aspect ratio among those the vendor supports that is nearest to a size. */
export function nearestRatio(size: string | undefined, ratios: readonly string[]): string | undefined {
  const [width, height] = sidesOf(size) ?? []
  if (width === undefined || height === undefined) return undefined
  const wanted = Math.log(width / height)
  const distance = (ratio: string) => {
    const [across = 1, down = 1] = sidesOf(ratio) ?? []
    return Math.abs(Math.log(across / down) - wanted)
  }
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best))
}
