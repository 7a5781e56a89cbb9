/** `3.2 %`; a dash when there is no whole to take a share of. */
export function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(1)} %`
}
