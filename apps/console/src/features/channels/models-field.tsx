import { channelRoutes } from '@tollgate/contract/channel'
import { Button, Form, type FormInstance, Select } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { Field } from '../../shared/form/field.tsx'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { useChannelTypes } from './api.ts'
import styles from './channels.module.css'
import { type ChannelFormValue, keysOf, OPENAI_TYPE } from './form-value.ts'
import { channelMessages } from './i18n.ts'

interface ModelsFieldProps {
  readonly form: FormInstance<ChannelFormValue>
  readonly channelId: number | undefined
}

/** The models a channel serves: typed, pasted, the provider's usual ones, or what the upstream itself lists. */
export function ModelsField({ form, channelId }: ModelsFieldProps) {
  const t = channelMessages.use()
  const types = useChannelTypes()
  const type = types.get(Form.useWatch('type', form) ?? OPENAI_TYPE)
  const [isAsking, setIsAsking] = useState(false)
  const setModels = (models: readonly string[]) => {
    form.setFieldValue('models', [...new Set(models)])
    void form.validateFields(['models'])
  }
  const rules = [{ type: 'array' as const, required: true, min: 1, message: t('form.modelsMissing') }]

  async function ask() {
    setIsAsking(true)
    try {
      const models = await listOfUpstream(form.getFieldsValue(true), channelId)
      notifyDone(t('form.modelsFetched', { count: models.length }))
      setModels([...(form.getFieldValue('models') ?? []), ...models])
    } catch (error) {
      notifyFailure(failureText(error))
    } finally {
      setIsAsking(false)
    }
  }

  return (
    <>
      <Field name="models" label={t('form.models')} rules={rules}>
        <Select
          mode="tags"
          allowClear
          tokenSeparators={[',', '\n', ' ']}
          options={(type?.models ?? []).map((model) => ({ value: model, label: model }))}
        />
      </Field>
      <div className={styles.buttons}>
        <Button
          size="small"
          disabled={(type?.models.length ?? 0) === 0}
          onClick={() => setModels([...(form.getFieldValue('models') ?? []), ...(type?.models ?? [])])}
        >
          {t('form.modelsFill')}
        </Button>
        {type?.can_list_models === true && (
          <Button size="small" loading={isAsking} onClick={() => void ask()}>
            {t('form.modelsFetch')}
          </Button>
        )}
        <Button size="small" onClick={() => setModels([])}>
          {t('form.modelsClear')}
        </Button>
      </div>
    </>
  )
}

/** With the key in the form when there is one, otherwise with the stored one. */
async function listOfUpstream(
  value: ChannelFormValue,
  channelId: number | undefined,
): Promise<readonly string[]> {
  const [key] = keysOf(value.key)
  if (key !== undefined) {
    return api.call(channelRoutes.fetchModelsByForm, {
      body: { type: value.type, key, base_url: value.baseUrl.trim(), other: value.other },
    })
  }
  if (channelId !== undefined) return api.call(channelRoutes.fetchModels, { params: { id: channelId } })
  const { t } = channelMessages
  throw new Error(t('form.keyForFetch'))
}
