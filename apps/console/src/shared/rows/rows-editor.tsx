import type { RowShape } from '@tollgate/contract/options/definition'
import { Input, Segmented } from 'antd'
import { useState } from 'react'
import { RowLines } from './row-lines.tsx'
import { type Row, rowCodec } from './row-shapes.ts'
import { rowsMessages } from './rows-messages.ts'
import styles from './rows.module.css'

interface RowsEditorProps {
  readonly shape: RowShape
  /** The labels of the cells of a row. */
  readonly columns: readonly string[]
  /** JSON text, passed in by the surrounding form field. */
  readonly value?: string
  readonly onChange?: (text: string) => void
  /** Whether a text can be saved; called for each row alone. Absent: every cell of a row must be filled. */
  readonly accepts?: (text: string) => boolean
  /** If there are no rows, the text is empty. */
  readonly isOptional?: boolean
  readonly id?: string
  readonly describedBy?: string
  /** Placeholder of an empty text. */
  readonly example?: string
  readonly lines?: { readonly min: number; readonly max: number }
  readonly isFaulty?: boolean
}

type Mode = 'table' | 'json'

/**
 * Edits a JSON value that is a list, either row by row in a table or as text. A value that a table cannot
 * represent is shown as text.
 */
export function RowsEditor(props: RowsEditorProps) {
  const { shape, columns, value = '', onChange, accepts, id, describedBy, isFaulty = false } = props
  const t = rowsMessages.use()
  const codec = rowCodec(shape)
  const known = codec.read(value)
  const [mode, setMode] = useState<Mode>(known === undefined ? 'json' : 'table')
  const [draft, setDraft] = useState<readonly Row[]>(known ?? [])
  // The draft is kept because the text does not contain the order of rows or empty rows.
  const rows = isWritten(codec.write(draft), value) ? draft : (known ?? [])

  function change(next: readonly Row[]) {
    const text = codec.write(next)
    setDraft(next)
    onChange?.(isNothing(text) && props.isOptional === true ? '' : text)
  }

  return (
    <fieldset className={styles.editor} aria-labelledby={id !== undefined ? `${id}-label` : undefined}>
      <Segmented<Mode>
        size="small"
        value={mode}
        options={[
          { value: 'table', label: t('table'), disabled: known === undefined },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={setMode}
      />
      {mode === 'json' || known === undefined ? (
        <Input.TextArea
          id={id}
          aria-describedby={describedBy}
          status={isFaulty ? 'error' : undefined}
          className="code"
          spellCheck={false}
          autoSize={{ minRows: props.lines?.min ?? 2, maxRows: props.lines?.max ?? 12 }}
          placeholder={props.example}
          value={value}
          onChange={(event) => onChange?.(event.target.value)}
        />
      ) : (
        <RowLines
          shape={shape}
          columns={columns}
          rows={rows}
          accepts={(row) => accepts?.(codec.write([row])) ?? row.every((cell) => cell.trim() !== '')}
          onChange={change}
        />
      )}
    </fieldset>
  )
}

/** Compares the JSON independently of its formatting. */
function isWritten(written: string, value: string): boolean {
  return written === value.trim() || (isNothing(written) && value.trim() === '')
}

function isNothing(text: string): boolean {
  return text === '{}' || text === '[]'
}
