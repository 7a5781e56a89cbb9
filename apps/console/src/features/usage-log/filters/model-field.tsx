import { SuggestInput } from '../../../shared/page/suggest-input.tsx'
import { usageLogMessages } from '../i18n/index.ts'
import { containing, patternOf, typedOf } from './name-pattern.ts'

interface ModelFieldProps {
  /** A name, or a pattern of names. */
  readonly value: string
  readonly names: readonly string[]
  readonly onChange: (pattern: string) => void
}

/** Selects a model from the list, or takes any part of a name, so that a deleted model can still be found. */
export function ModelField({ value, names, onChange }: ModelFieldProps) {
  const t = usageLogMessages.use()
  const typed = typedOf(value)
  const found = names.filter((name) => name.toLowerCase().includes(typed.trim().toLowerCase()))
  const part =
    typed === '' || typed.includes('%')
      ? []
      : [{ value: containing(typed.trim()), label: t('filter.containing', { text: typed.trim() }) }]
  return (
    <SuggestInput
      widthPx={150}
      label={t('word.model')}
      value={typed}
      options={[...part, ...found.map((name) => ({ value: name, label: name }))]}
      onChange={(text) => onChange(patternOf(text, names))}
    />
  )
}
