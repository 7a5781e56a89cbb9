import { useLanguage } from '../../../shared/i18n/language.ts'
import { RowsEditor } from '../../../shared/rows/rows-editor.tsx'
import type { ControlProps } from './control.ts'

/** Edits a JSON setting that is a table, either as rows or as text. */
export function RowsControl({ id, describedBy, definition, value, isFaulty, onChange }: ControlProps) {
  const language = useLanguage()
  if (definition.rows === undefined) return null
  const { shape, columns } = definition.rows
  return (
    <RowsEditor
      id={id}
      describedBy={describedBy}
      shape={shape}
      columns={columns.map((column) => column[language])}
      accepts={(text) => definition.schema.safeParse(text).success}
      lines={{ min: definition.lines ?? 4, max: 24 }}
      isFaulty={isFaulty}
      value={value}
      onChange={onChange}
    />
  )
}
