import { palettes } from '../../../shared/design/tokens.ts'
import type { KeySums } from '../series/series.ts'
import type { Share } from '../shares.ts'
import type { Drawing } from './drawing.ts'
import { type ChartFormat, colourOf, pointedAt } from './look.ts'
import { shareTooltip } from './tooltip.ts'

interface RingInput {
  readonly shares: readonly Share[]
  /** The keys in the order of their colours. */
  readonly keys: readonly KeySums[]
  readonly look: ChartFormat
}

const SHAPE = { type: 'doughnut', radius: '78%', cutout: '66%' } as const

/** A ring chart of the keys' shares. Names and numbers are shown beside it by `ShareList`. */
export function ringOfShares({ shares, keys, look }: RingInput): Drawing {
  const { surface } = palettes[look.theme]
  if (shares.every(({ part }) => part === 0)) return emptyRing(look)
  const colours = shares.map(({ key }) => colourOf(look.theme, key, keys))
  return {
    type: 'doughnut',
    data: {
      labels: shares.map(({ key }) => look.keyName(key)),
      datasets: [
        {
          ...SHAPE,
          data: shares.map(({ part }) => part),
          backgroundColor: colours,
          hoverBackgroundColor: colours.map(pointedAt),
          borderColor: surface,
          hoverBorderColor: surface,
          borderWidth: 2,
        },
      ],
    },
    options: {},
    tooltip: (index) => {
      const share = shares[index]
      return share && shareTooltip({ name: look.keyName(share.key), share, value: look.value })
    },
  }
}

/** When nothing was spent, the ring does not react to the mouse. */
function emptyRing({ theme }: ChartFormat): Drawing {
  const { faintLine } = palettes[theme]
  return {
    type: 'doughnut',
    data: {
      labels: [''],
      datasets: [{ ...SHAPE, data: [1], backgroundColor: faintLine, borderWidth: 0 }],
    },
    options: { events: [] },
    tooltip: () => undefined,
  }
}
