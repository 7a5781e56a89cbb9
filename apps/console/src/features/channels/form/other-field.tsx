import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { Input, Segmented } from 'antd'
import { Field } from '../../../shared/form/field.tsx'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { RowsEditor } from '../../../shared/rows/rows-editor.tsx'
import { channelMessages } from '../i18n/index.ts'
import styles from './form.module.css'
import { isIncompleteModelTable, defaultOfTable } from './by-model.ts'

/** The one field whose meaning depends on the provider: a version, a region, an account. */
export function OtherField({ other }: { readonly other: NonNullable<ChannelType['other']> }) {
  const t = channelMessages.use()
  const label = other.label[useLanguage()]
  const { usual, is_by_model: isByModel } = other
  const rules = [
    {
      validator: async (_: unknown, text: string | undefined) => {
        if (isByModel && isIncompleteModelTable(text ?? '')) throw new Error(t('other.faulty'))
      },
    },
  ]
  return (
    <Field
      name="other"
      label={label}
      rules={rules}
      help={isByModel ? t('other.byModelHelp') : usual && t('other.usual', { usual })}
    >
      {isByModel ? <ByModel label={label} /> : <Input className="code" placeholder={usual} />}
    </Field>
  )
}

interface ByModelProps {
  readonly label: string
  /** Passed in by the surrounding form field. */
  readonly value?: string
  readonly onChange?: (text: string) => void
  readonly id?: string
}

/** Either one text for every model, or a table with one for each model. */
function ByModel({ label, value = '', onChange, id }: ByModelProps) {
  const t = channelMessages.use()
  const isTable = value.trim().startsWith('{')
  return (
    <div className={styles.settings}>
      <Segmented<'one' | 'each'>
        size="small"
        value={isTable ? 'each' : 'one'}
        options={[
          { value: 'one', label: t('other.one') },
          { value: 'each', label: t('other.each') },
        ]}
        onChange={(which) =>
          onChange?.(
            which === 'one' ? defaultOfTable(value) : JSON.stringify({ default: value.trim() || 'global' }),
          )
        }
      />
      {isTable ? (
        <RowsEditor
          shape="texts"
          columns={[t('word.model'), label]}
          example='{"default": "us-central1"}'
          value={value}
          onChange={onChange}
        />
      ) : (
        <Input
          id={id}
          className="code"
          placeholder="global"
          value={value}
          onChange={(event) => onChange?.(event.target.value)}
        />
      )}
    </div>
  )
}
