import { useMutation } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import { Button, Form, type FormInstance } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { FormRefusal } from '../../shared/api/failure.ts'
import { Choices } from '../../shared/form/choices.tsx'
import { Field } from '../../shared/form/field.tsx'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useChannelTypes } from './api.ts'
import styles from './channels.module.css'
import { type ChannelFormValue, keysOf, OPENAI_TYPE } from './form-value.ts'
import { channelMessages } from './i18n/index.ts'
import { ModelPicker } from './models/model-picker.tsx'

interface ModelsFieldProps {
  readonly form: FormInstance<ChannelFormValue>
  readonly channelId: number | undefined
}

/** The models that the picker offers. */
interface Offer {
  readonly models: readonly string[]
  readonly isUpstreams: boolean
}

/** More tags than this would push the rest of the form out of sight. */
const FOLDED_FROM = 24
const SHOWN_WHEN_FOLDED = 12

/**
 * The models that a channel serves. They can be typed, pasted, or chosen from the provider's usual models or
 * from the upstream's own list.
 */
export function ModelsField({ form, channelId }: ModelsFieldProps) {
  const t = channelMessages.use()
  const types = useChannelTypes()
  const type = types.get(Form.useWatch('type', form) ?? OPENAI_TYPE)
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [offer, setOffer] = useState<Offer>()
  const chosen: readonly string[] = Form.useWatch('models', form) ?? []
  const all = [...new Set([...types.values()].flatMap(({ models }) => models))]
  const setModels = (models: readonly string[]) => {
    form.setFieldValue('models', [...new Set(models)])
    void form.validateFields(['models'])
  }
  const isFolded = !isUnfolded && chosen.length > FOLDED_FROM
  const moreText = (more: readonly unknown[]) => t('form.modelsMore', { more: more.length })
  const rules = [{ type: 'array' as const, required: true, min: 1, message: t('form.modelsMissing') }]

  const ask = useMutation({
    mutationFn: () => listOfUpstream(form.getFieldsValue(true), channelId),
    // Fails at once without a network.
    networkMode: 'always',
    onSuccess: (models) => {
      notifyDone(t('form.modelsFetched', { count: models.length }))
      setOffer({ models, isUpstreams: true })
    },
  })

  return (
    <>
      <Field name="models" label={t('word.models')} rules={rules}>
        <Choices
          mode="tags"
          allowClear
          tokenSeparators={[',', '，', '\n', ' ']}
          maxTagCount={isFolded ? SHOWN_WHEN_FOLDED : undefined}
          maxTagPlaceholder={moreText}
          options={(type?.models ?? []).map((model) => ({ value: model, label: model }))}
        />
      </Field>
      <div className={styles.buttons}>
        {chosen.length > FOLDED_FROM && (
          <Button size="small" aria-expanded={isUnfolded} onClick={() => setIsUnfolded(!isUnfolded)}>
            {isUnfolded ? t('word.fewer') : t('form.modelsAll', { count: chosen.length })}
          </Button>
        )}
        <Button
          size="small"
          disabled={(type?.models.length ?? 0) === 0}
          onClick={() => setModels([...(form.getFieldValue('models') ?? []), ...(type?.models ?? [])])}
        >
          {t('form.modelsFill')}
        </Button>
        <Button size="small" onClick={() => setOffer({ models: all, isUpstreams: false })}>
          {t('form.modelsPick')}
        </Button>
        {type?.can_list_models === true && (
          <Button size="small" loading={ask.isPending} onClick={() => ask.mutate()}>
            {t('form.modelsFetch')}
          </Button>
        )}
        <Button size="small" onClick={() => setModels([])}>
          {t('clear')}
        </Button>
      </div>
      {offer !== undefined && (
        <ModelPicker
          title={t('form.modelsPick')}
          offered={offer.models}
          chosen={chosen}
          preselected={offer.isUpstreams && chosen.length === 0 ? offer.models : chosen}
          onChoose={setModels}
          onClose={() => setOffer(undefined)}
        />
      )}
    </>
  )
}

/** Requests the list with the key in the form if there is one, otherwise with the stored key. */
async function listOfUpstream(
  value: ChannelFormValue,
  channelId: number | undefined,
): Promise<readonly string[]> {
  const [key] = keysOf(value.key)
  if (key !== undefined) {
    return api.call(channelRoutes.fetchModelsByForm, {
      body: {
        type: value.type,
        key,
        base_url: value.baseUrl.trim(),
        other: value.other,
        setting: value.setting.trim(),
      },
    })
  }
  if (channelId !== undefined) return api.call(channelRoutes.fetchModels, { params: { id: channelId } })
  const { t } = channelMessages
  throw new FormRefusal(t('form.keyForFetch'))
}
