import { Input } from 'antd'
import { useLanguage } from '../../../shared/i18n/language.ts'
import type { ControlProps } from './control.ts'
import styles from './controls.module.css'

/** A JSON setting with one number for each of a few known names: as many fields. */
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
            {...(isFaulty && { status: 'error' })}
            value={cells.get(name) ?? ''}
            onChange={(event) => change(name, event.target.value)}
          />
        </label>
      ))}
    </fieldset>
  )
}

/** A text that is no object has no cells. */
function cellsOf(text: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries<unknown>(JSON.parse(text)).map(([name, cell]) => [name, String(cell)]))
  } catch {
    return new Map()
  }
}

/** What is no number stays text, which the setting then refuses; what is left empty is not written. */
function textOf(cells: ReadonlyMap<string, string>): string {
  const written = [...cells].filter(([, cell]) => cell.trim() !== '')
  return JSON.stringify(
    Object.fromEntries(written.map(([name, cell]) => [name, /^\d+$/.test(cell) ? Number(cell) : cell])),
    undefined,
    2,
  )
}
