import { Input } from 'antd'
import { useLanguage } from '../../../shared/i18n/language.ts'
import type { ControlProps } from './control.ts'
import styles from './controls.module.css'

/** Edits a JSON setting that has one number for each of a few known names, with one field per name. */
export function NamedNumbersControl(props: ControlProps) {
  const { id, describedBy, definition, value, isFaulty, onChange } = props
  const language = useLanguage()
  const cells = cellsOf(value)
  const change = (name: string, cell: string) => onChange(textOf(new Map(cells).set(name, cell)))
  return (
    <fieldset className={styles.named} aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {Object.entries(definition.rows?.names ?? {}).map(([name, words]) => (
        <label key={name}>
          {words[language]}
          <Input
            className="number"
            inputMode="numeric"
            autoComplete="off"
            status={isFaulty ? 'error' : undefined}
            value={cells.get(name) ?? ''}
            onChange={(event) => change(name, event.target.value)}
          />
        </label>
      ))}
    </fieldset>
  )
}

/** Returns no cells for text that is not an object. */
function cellsOf(text: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries<unknown>(JSON.parse(text)).map(([name, cell]) => [name, String(cell)]))
  } catch {
    return new Map()
  }
}

/** Text that is not a number stays text, which validation rejects; empty fields are left out. */
function textOf(cells: ReadonlyMap<string, string>): string {
  const written = [...cells].filter(([, cell]) => cell.trim() !== '')
  return JSON.stringify(
    Object.fromEntries(written.map(([name, cell]) => [name, /^\d+$/.test(cell) ? Number(cell) : cell])),
    undefined,
    2,
  )
}
