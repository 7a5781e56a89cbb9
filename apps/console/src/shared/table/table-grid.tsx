import { type AriaAttributes, Fragment, type ReactNode, useRef, useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import type { Column, RowKey, Sorting, TableContent } from './column.ts'
import styles from './data-table.module.css'
import { cellsOf } from './cells-of.ts'
import { DetailsToggle } from './details-toggle.tsx'
import { rowKeyHandler } from './row-navigation.ts'
import { SelectAllCell, SelectCell } from './select-cell.tsx'
import { SortHead } from './sort-head.tsx'
import { toggled } from './toggled.ts'
import { useIsWiderThanItsFrame } from './use-is-wider.ts'

/** Content of the table with the actions of a row already rendered. */
export interface BodyContent<Row> extends Omit<TableContent<Row>, 'actions'> {
  /** On a phone they are folded into one button. */
  readonly renderActions?: (row: Row, isFolded: boolean) => ReactNode
}

export interface TableBodyProps<Row> extends BodyContent<Row> {
  /** `undefined` before the first response: placeholders keep the layout. */
  readonly rows: readonly Row[] | undefined
  readonly placeholderRows: number
}

const NO_WORDS = '\u00a0'

/** The table of a wide screen. */
export function TableGrid<Row>(props: TableBodyProps<Row>) {
  const { columns, rows, selection } = props
  const frame = useRef<HTMLDivElement>(null)
  const isWider = useIsWiderThanItsFrame(frame)
  const extraColumns = Number(props.renderDetails !== undefined) + Number(selection !== undefined)
  const columnCount = columns.length + extraColumns + Number(props.renderActions !== undefined)
  return (
    <div ref={frame} className={isWider ? styles.scroll : undefined}>
      <table className={tableClass(columns.length)} aria-label={props.label}>
        <thead>
          <HeadRow {...props} />
        </thead>
        <tbody>
          {rows === undefined ? (
            <Placeholders columnCount={columnCount} rowCount={props.placeholderRows} />
          ) : (
            <Rows {...props} rows={rows} columnCount={columnCount} />
          )}
        </tbody>
      </table>
    </div>
  )
}

function HeadRow<Row>(props: TableBodyProps<Row>) {
  const { columns, rows, rowKey, selection, renderDetails, renderActions, sorting } = props
  const t = sharedMessages.use()
  return (
    <tr>
      {renderDetails !== undefined && (
        <th className={styles.narrow}>
          <span className="visually-hidden">{t('showDetails')}</span>
        </th>
      )}
      {selection !== undefined && <SelectAllCell selection={selection} keys={(rows ?? []).map(rowKey)} />}
      {columns.map((column) => (
        <th
          key={column.key}
          scope="col"
          className={cellClass(column)}
          style={{ width: widthOf(column) }}
          aria-sort={sortOf(column, sorting)}
        >
          {column.canSort === true && sorting !== undefined ? (
            <SortHead column={column} sorting={sorting} />
          ) : (
            column.title
          )}
        </th>
      ))}
      {renderActions !== undefined && (
        <th scope="col" className={styles.actions}>
          {t('actions')}
        </th>
      )}
    </tr>
  )
}

function sortOf<Row>({ key }: Column<Row>, sorting: Sorting | undefined): AriaAttributes['aria-sort'] {
  if (sorting?.by !== key) return undefined
  return sorting.isDescending ? 'descending' : 'ascending'
}

/** More columns than this get less padding, so that they fit. */
const COLUMNS_MANY = 10

function tableClass(columns: number): string {
  return columns > COLUMNS_MANY ? `${styles.table} ${styles.dense}` : `${styles.table}`
}

function widthOf<Row>({ isFluid, widthPx }: Column<Row>): string | number | undefined {
  return isFluid === true ? '50%' : widthPx
}

interface RowsProps<Row> extends BodyContent<Row> {
  readonly rows: readonly Row[]
  readonly columnCount: number
}

function Rows<Row>({ rows, columnCount, ...content }: RowsProps<Row>) {
  const [changed, setChanged] = useState<ReadonlySet<RowKey>>(new Set())
  const [focused, setFocused] = useState(0)
  return rows.map((row, index) => {
    const key = content.rowKey(row)
    return (
      <GridRow
        key={key}
        {...content}
        row={row}
        columnCount={columnCount}
        isOpen={changed.has(key) !== (content.isOpenAtFirst?.(row) ?? false)}
        onToggle={() => setChanged(toggled(changed, key))}
        isTabStop={index === Math.min(focused, rows.length - 1)}
        onFocus={() => setFocused(index)}
      />
    )
  })
}

interface GridRowProps<Row> extends BodyContent<Row> {
  readonly row: Row
  readonly columnCount: number
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly isTabStop: boolean
  readonly onFocus: () => void
}

function GridRow<Row>({
  row,
  columnCount,
  isOpen,
  onToggle,
  isTabStop,
  onFocus,
  ...content
}: GridRowProps<Row>) {
  const { columns, rowKey, renderActions, renderDetails, selection, isRowMuted } = content
  const canOpen = renderDetails !== undefined
  return (
    <Fragment>
      <tr
        data-row
        className={rowClass(isOpen, isRowMuted?.(row) === true)}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={onFocus}
        onKeyDown={rowKeyHandler({ isOpen, onToggle: canOpen ? onToggle : undefined })}
        onClick={canOpen ? onToggle : undefined}
      >
        {canOpen && (
          <td className={styles.narrow}>
            <DetailsToggle isOpen={isOpen} onToggle={onToggle} />
          </td>
        )}
        {selection !== undefined && <SelectCell selection={selection} rowKey={rowKey(row)} />}
        {cellsOf(columns, row).map(({ column, width }) => (
          <td key={column.key} className={cellClass(column)} colSpan={width}>
            {column.render(row)}
          </td>
        ))}
        {renderActions !== undefined && <td className={styles.actions}>{renderActions(row, false)}</td>}
      </tr>
      {isOpen && canOpen && (
        <tr className={styles.details}>
          <td colSpan={columnCount}>{renderDetails(row)}</td>
        </tr>
      )}
    </Fragment>
  )
}

function Placeholders({
  columnCount,
  rowCount,
}: {
  readonly columnCount: number
  readonly rowCount: number
}) {
  return Array.from({ length: rowCount }, (_, row) => (
    <tr key={row} aria-hidden="true">
      {Array.from({ length: columnCount }, (_, column) => (
        <td key={column}>
          <span className={styles.placeholder} style={{ width: `${48 + ((row * 7 + column * 13) % 40)}%` }}>
            {NO_WORDS}
          </span>
        </td>
      ))}
    </tr>
  ))
}

function rowClass(isOpen: boolean, isMuted: boolean): string {
  return [isOpen ? styles.open : '', isMuted ? styles.muted : ''].join(' ').trim()
}

function cellClass<Row>(column: Column<Row>): string | undefined {
  return column.isNumber === true ? `${styles.number} number` : undefined
}
