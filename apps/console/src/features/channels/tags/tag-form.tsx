import { channelRoutes } from '@tollgate/contract/channel'
import { Alert, Button, Checkbox, Input } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { Choices } from '../../../shared/form/choices.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { ResourceForm } from '../../../shared/form/resource-form.tsx'
import { jsonObjectFaultText } from '../../../shared/json/json-fault.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useGroupNames } from '../../../shared/api/group-names.ts'
import { useChannelTypes, useRefreshChannels } from '../api.ts'
import styles from '../channels.module.css'
import { channelTagMessages } from './i18n.ts'

interface TagFormValue {
  readonly name: string
  readonly isDissolved: boolean
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly mapping: string
}

const EXAMPLE = '{\n  "gpt-4o": "gpt-4o-2024-11-20"\n}'

/** Changes every channel of a tag; a field left empty changes nothing. */
export function TagForm({ tag, onClose }: { readonly tag: string; readonly onClose: () => void }) {
  const t = channelTagMessages.use()
  const refresh = useRefreshChannels()
  const groups = useGroupNames()
  const models = [...new Set([...useChannelTypes().values()].flatMap((type) => type.models))]

  async function save(value: TagFormValue) {
    const count = await api.call(channelRoutes.updateTag, { body: { tag, ...changeOf(tag, value) } })
    notifyDone(count === 0 ? t('unchanged') : t('changed', { count }))
    onClose()
    await refresh()
  }
  const mappingRules = [
    {
      validator: async (_: unknown, text: string | undefined) => {
        const fault = jsonObjectFaultText(text ?? '')
        if (fault !== undefined) throw new Error(fault)
      },
    },
  ]
  return (
    <ResourceForm<TagFormValue>
      title={t('editTitle', { tag })}
      initialValue={{ name: tag, isDissolved: false, models: [], groups: [], mapping: '' }}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Alert type="info" title={t('hint')} className={styles.note} />
          <Field name="name" label={t('field.name')}>
            <Input maxLength={64} />
          </Field>
          <Field name="isDissolved" label="" valuePropName="checked">
            <Checkbox>{t('field.dissolve')}</Checkbox>
          </Field>
          <Field name="models" label={t('field.models')}>
            <Choices
              mode="tags"
              allowClear
              tokenSeparators={[',', '，', '\n', ' ']}
              options={models.map((model) => ({ value: model, label: model }))}
            />
          </Field>
          <Field name="groups" label={t('field.groups')}>
            <Choices
              mode="tags"
              tokenSeparators={[',', '，']}
              options={groups.map((group) => ({ value: group, label: group }))}
            />
          </Field>
          <Field name="mapping" label={t('field.mapping')} help={t('field.mappingHelp')} rules={mappingRules}>
            <Input.TextArea className="code" spellCheck={false} autoSize={{ minRows: 2, maxRows: 10 }} />
          </Field>
          <div className={styles.buttons}>
            {(['example', 'clear', 'keep'] as const).map((name) => (
              <Button
                key={name}
                size="small"
                onClick={() =>
                  form.setFieldValue('mapping', { example: EXAMPLE, clear: '{}', keep: '' }[name])
                }
              >
                {t(`mapping.${name}`)}
              </Button>
            ))}
          </div>
        </>
      )}
    </ResourceForm>
  )
}

function changeOf(tag: string, { name, isDissolved, models, groups, mapping }: TagFormValue) {
  const newName = name.trim() === tag ? undefined : name.trim() || undefined
  return {
    new_tag: isDissolved ? '' : newName,
    models: models.join(',') || undefined,
    groups: groups.join(',') || undefined,
    model_mapping: mapping.trim() || undefined,
  }
}
