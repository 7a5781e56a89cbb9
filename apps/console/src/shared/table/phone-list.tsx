import { Fragment, type ReactNode, useState } from 'react'
import type { Column, PhonePlace, RowKey } from './column.ts'
import { DetailsToggle } from './details-toggle.tsx'
import styles from './phone-list.module.css'
import { SelectBox } from './select-cell.tsx'
import type { BodyContent, TableBodyProps } from './table-grid.tsx'
import { toggled } from './toggled.ts'

/** The rows on a phone: two lines each, with all actions in the three-dots menu. */
export function PhoneList<Row>({ rows, placeholderRows, ...content }: TableBodyProps<Row>) {
  const [changed, setChanged] = useState<ReadonlySet<RowKey>>(new Set())
  if (rows === undefined) return <Placeholders count={placeholderRows} />
  return (
    <ul className={styles.list}>
      {rows.map((row) => {
        const key = content.rowKey(row)
        return (
          <PhoneRow
            key={key}
            {...content}
            row={row}
            isOpen={changed.has(key) !== (content.isOpenAtFirst?.(row) ?? false)}
            onToggle={() => setChanged(toggled(changed, key))}
          />
        )
      })}
    </ul>
  )
}

interface PhoneRowProps<Row> extends BodyContent<Row> {
  readonly row: Row
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function PhoneRow<Row>({ row, isOpen, onToggle, ...content }: PhoneRowProps<Row>) {
  const { columns, rowKey, renderActions, renderDetails, selection, isRowMuted } = content
  const more = columns.filter((column) => column.phone === 'more')
  const canOpen = renderDetails !== undefined || more.length > 0
  return (
    <li className={isRowMuted?.(row) === true ? styles.muted : undefined}>
      <div className={styles.row}>
        {selection !== undefined && <SelectBox selection={selection} rowKey={rowKey(row)} />}
        {canOpen && <DetailsToggle isOpen={isOpen} onToggle={onToggle} />}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the control is the toggle */}
        <div className={styles.lines} onClick={canOpen ? onToggle : undefined}>
          <RowLines columns={columns} row={row} />
        </div>
        {renderActions?.(row, true)}
      </div>
      {isOpen && canOpen && (
        <div className={styles.details}>
          {more.length > 0 && <More columns={more} row={row} />}
          {renderDetails?.(row)}
        </div>
      )}
    </li>
  )
}

interface ColumnsOfRow<Row> {
  readonly columns: readonly Column<Row>[]
  readonly row: Row
}

/** The columns that the two lines leave out. */
function More<Row>({ columns, row }: ColumnsOfRow<Row>) {
  return (
    <dl className={styles.more}>
      {columns.map((column) => (
        <Fragment key={column.key}>
          <dt>{column.title}</dt>
          <dd>{column.render(row)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function RowLines<Row>({ columns, row }: ColumnsOfRow<Row>) {
  const at = (place: PhonePlace) => columns.filter((column) => column.phone === place)
  return (
    <>
      <div className={styles.first}>
        <span className={styles.title}>{inOrder(at('title'), row)}</span>
        <span className={`${styles.value} number`}>{inOrder(at('value'), row)}</span>
      </div>
      <div className={`${styles.second} number`}>{named(at('detail'), row)}</div>
    </>
  )
}

function inOrder<Row>(columns: readonly Column<Row>[], row: Row): ReactNode {
  return columns.map((column) => (
    <span key={column.key} className={styles.part}>
      {column.render(row)}
    </span>
  ))
}

/** A number says nothing without its heading. */
function named<Row>(columns: readonly Column<Row>[], row: Row): ReactNode {
  return columns.map((column) => (
    <span key={column.key} className={styles.part}>
      {column.isNumber === true && `${column.title} `}
      {column.render(row)}
    </span>
  ))
}

function Placeholders({ count }: { readonly count: number }) {
  return (
    <ul className={styles.list} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index}>
          <div className={styles.row}>
            <div className={styles.lines}>
              <span className={styles.placeholder} style={{ width: `${40 + ((index * 17) % 30)}%` }} />
              <span className={styles.placeholder} style={{ width: `${60 + ((index * 11) % 30)}%` }} />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
