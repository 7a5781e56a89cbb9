/** `3.2 %`; a dash when there is nothing to take a part of. */
export function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(1)} %`
}
