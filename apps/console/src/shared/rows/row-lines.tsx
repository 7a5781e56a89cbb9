import type { RowShape } from '@tollgate/contract/options/definition'
import { Button, Input } from 'antd'
import { useId } from 'react'
import { Icon } from '../icon/icon.tsx'
import { repeatedRows, type Row } from './row-shapes.ts'
import { rowsMessages } from './rows-messages.ts'
import styles from './rows.module.css'

interface RowLinesProps {
  readonly shape: RowShape
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly accepts: (row: Row) => boolean
  readonly onChange: (rows: readonly Row[]) => void
}

/** Layouts whose cells have different widths. */
const cellStyles: Readonly<Partial<Record<RowShape, string | undefined>>> = {
  'labelled-texts': styles.wide,
  'context-tiers': styles.named,
}

/** The cache factor of a tier may be empty; it then follows the input factor. */
function neededColumns(shape: RowShape, columns: readonly string[]): readonly string[] {
  return shape.endsWith('tiers') ? columns.slice(0, -1) : columns
}

/** The rows of the table, each with its error below. */
export function RowLines({ shape, columns, rows, accepts, onChange }: RowLinesProps) {
  const t = rowsMessages.use()
  const id = useId()
  const repeated = repeatedRows(shape, rows)
  const cells = cellStyles[shape] === undefined ? styles.cells : `${styles.cells} ${cellStyles[shape]}`

  function faultOf(row: Row, place: number): string | undefined {
    if (row.every((cell) => cell.trim() === '')) return undefined
    if (repeated.has(place)) return t('taken')
    if (accepts(row)) return undefined
    const missing = neededColumns(shape, columns).find((_column, index) => (row[index] ?? '').trim() === '')
    if (missing !== undefined) return t('missing', { column: missing })
    return t(shape.endsWith('numbers') && !isNumber(row.at(-1)) ? 'number' : 'wrong')
  }

  function edit(place: number, cell: number, text: string) {
    const edited = columns.map((_column, index) => (index === cell ? text : (rows[place]?.[index] ?? '')))
    onChange(rows.with(place, edited))
  }

  return (
    <>
      {rows.length > 0 && (
        <ul className={styles.rows}>
          {columns.length > 1 && (
            <li className={`${styles.row} ${styles.titles}`} aria-hidden="true">
              <div className={cells}>
                {columns.map((column) => (
                  <span key={column}>{column}</span>
                ))}
              </div>
              <span />
            </li>
          )}
          {rows.map((row, place) => {
            const fault = faultOf(row, place)
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a line is its place; names change while they are typed
              <li key={place} className={styles.row}>
                <div className={cells}>
                  {columns.map((column, index) => (
                    <div key={column} className={styles.cell}>
                      <span className={styles.cellTitle} aria-hidden="true">
                        {column}
                      </span>
                      <Input
                        className="code"
                        aria-label={`${column} ${place + 1}`}
                        status={fault && 'error'}
                        aria-describedby={fault && `${id}-${place}`}
                        placeholder={column}
                        value={row[index] ?? ''}
                        onChange={(event) => edit(place, index, event.target.value)}
                      />
                    </div>
                  ))}
                </div>
                <Button
                  type="text"
                  icon={<Icon name="close" />}
                  aria-label={`${t('remove')} ${place + 1}`}
                  onClick={() => onChange(rows.filter((_row, other) => other !== place))}
                />
                {fault !== undefined && (
                  <p id={`${id}-${place}`} className={styles.fault} role="alert">
                    {fault}
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Button
        size="small"
        icon={<Icon name="plus" />}
        onClick={() => onChange([...rows, columns.map(() => '')])}
      >
        {t('add')}
      </Button>
    </>
  )
}

function isNumber(cell = ''): boolean {
  return cell.trim() !== '' && Number.isFinite(Number(cell))
}
