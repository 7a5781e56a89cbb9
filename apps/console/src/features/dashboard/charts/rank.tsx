import type { ReactNode } from 'react'
import { nameOf } from '../series/series.ts'
import { type Share, shareText } from '../shares.ts'
import styles from './rank.module.css'

interface RankProps {
  readonly label: string
  /**
   * Without the rest ("everything else"), which is not ranked. `undefined` while loading: a shaded
   * placeholder is shown.
   */
  readonly shares: readonly Share[] | undefined
  readonly colourOf: (share: Share) => string
  /** The name as plain text, for the tooltip of a name that is cut off. */
  readonly textOf: (share: Share) => string
  readonly nameOfShare: (share: Share) => ReactNode
  readonly value: (amount: number) => string
}

/** Space reserved beside the longest bar for its amount. */
const AMOUNT_PX = 72

/** Bars one below the other, the longest first. A link in a name covers its whole row. */
export function Rank({ label, shares, colourOf, textOf, nameOfShare, value }: RankProps) {
  if (shares === undefined) return <div aria-busy className={styles.waiting} />
  const longest = Math.max(...shares.map(({ part }) => part), 0)
  return (
    <ol className={styles.rank} aria-label={label}>
      {shares.map((share) => (
        <li key={nameOf(share.key)} title={`${textOf(share)}: ${shareText(share.part)}`}>
          <span className={styles.name}>{nameOfShare(share)}</span>
          <span className={styles.amount}>
            <span
              className={styles.bar}
              style={{
                width: `calc(${longest === 0 ? 0 : share.part / longest} * (100% - ${AMOUNT_PX}px))`,
                background: colourOf(share),
              }}
            />
            <span className="number">{value(share.amount)}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
