import { channelRoutes } from '@tollgate/contract/channel'
import { ApiError } from '@tollgate/contract/client'
import { Collapse } from 'antd'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../shared/api/client.ts'
import { FormRefusal } from '../../shared/api/failure.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import type { ProblemFields } from '../../shared/form/show-at-field.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useChannel, useChannelTypesQuery, useRefreshChannels } from './api.ts'
import { type Base, ConflictPanel } from './conflict/conflict-panel.tsx'
import { IdentityFields } from './form/identity-fields.tsx'
import { MoreFields } from './form/more-fields.tsx'
import { SchedulingFields } from './form/scheduling-fields.tsx'
import {
  bodyOf,
  type ChannelFormValue,
  endsInVersion,
  formValueOf,
  isFoldedField,
  replacesKeys,
  newChannelValue,
} from './form-value.ts'
import { channelMessages } from './i18n/index.ts'
import { ModelsField } from './models-field.tsx'

interface ChannelFormProps {
  /** `undefined`: a new channel. */
  readonly channelId: number | undefined
  readonly onClose: () => void
}

const problemFields: ProblemFields<ChannelFormValue> = {
  name: ['channel_name_missing', 'channel_name_too_long'],
  key: ['channel_key_missing', 'channel_key_malformed', 'channel_keys_too_many', 'channel_key_invalid'],
  baseUrl: ['channel_base_url_invalid', 'channel_base_url_needed', 'channel_base_url_missing'],
  models: ['channel_models_missing', 'channel_model_too_long', 'channel_models_too_many'],
  groups: ['channel_group_invalid'],
}

/**
 * Creates or edits a channel. A change saved by another operator in the meantime is never overwritten: it is
 * shown, and can be merged.
 */
export function ChannelForm({ channelId, onClose }: ChannelFormProps) {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  const channelQuery = useChannel(channelId)
  const channel = channelQuery.data
  const types = useChannelTypesQuery()
  const [rebased, setRebased] = useState<Base>()
  const [quarrel, setQuarrel] = useState<{ edited: ChannelFormValue; stored: Base }>()
  const [isMoreShown, setIsMoreShown] = useState(false)
  const isNew = channelId === undefined
  const loaded = channel && { value: formValueOf(channel), version: channel.version }
  const base = rebased ?? loaded
  const firstValue = isNew ? newChannelValue : loaded?.value

  async function save(value: ChannelFormValue, { operationKey }: { readonly operationKey: string }) {
    if (endsInVersion(value.baseUrl) && !(await confirmVersion(t)))
      throw new FormRefusal(t('form.baseUrlVersion'))
    if (channelId === undefined) {
      await api.call(channelRoutes.create, { body: bodyOf(value), operationKey })
      notifyDone(t('created'))
    } else if (base !== undefined) {
      const count = channel?.key_count ?? 0
      if (replacesKeys(value, count) && !(await confirmReplaced(t, count)))
        throw new FormRefusal(t('form.keysKept'))
      await update(channelId, base, value)
      notifyDone(t('saved'))
    }
    onClose()
    await refresh()
  }

  async function update(id: number, { version }: Base, value: ChannelFormValue) {
    try {
      await api.call(channelRoutes.update, { body: { ...bodyOf(value), id, version, key_mode: 'replace' } })
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === VERSION_CHANGED) {
        const stored = await api.call(channelRoutes.get, { params: { id } })
        setQuarrel({ edited: value, stored: { value: formValueOf(stored), version: stored.version } })
      }
      throw failure
    }
  }

  return (
    <ResourceForm<ChannelFormValue>
      title={titleOf(t, channelId, channel?.name)}
      // The fields depend on the channel type. If the types arrived later, new fields would push the others
      // down.
      initialValue={types.data && firstValue}
      submitLabel={isNew ? t('word.create') : undefined}
      loadError={channelQuery.error ?? types.error}
      onReload={() => void Promise.all([types.refetch(), isNew ? undefined : channelQuery.refetch()])}
      isEdit={!isNew && quarrel === undefined && rebased === undefined}
      problemFields={problemFields}
      onSubmit={save}
      onClose={onClose}
      onFaults={(names) => {
        // Unfolds the section first: an error in a folded field would be invisible and could not be scrolled
        // to.
        if (names.some(isFoldedField)) flushSync(() => setIsMoreShown(true))
      }}
    >
      {(form) => (
        <>
          {quarrel !== undefined && base !== undefined && (
            <ConflictPanel
              form={form}
              loaded={base.value}
              {...quarrel}
              onSettled={() => {
                setRebased(quarrel.stored)
                setQuarrel(undefined)
              }}
            />
          )}
          <IdentityFields form={form} stored={base?.value} keyPreview={channel?.key_preview || undefined} />
          <ModelsField form={form} channelId={channelId} />
          <SchedulingFields />
          <Collapse
            ghost
            activeKey={isMoreShown ? ['more'] : []}
            onChange={(keys) => setIsMoreShown(keys.length > 0)}
            items={[
              {
                key: 'more',
                label: t('form.more'),
                forceRender: true,
                children: <MoreFields form={form} channelId={channelId} />,
              },
            ]}
          />
        </>
      )}
    </ResourceForm>
  )
}

function titleOf(
  t: ReturnType<typeof channelMessages.use>,
  id: number | undefined,
  name: string | undefined,
): string {
  if (id === undefined) return t('create')
  return name === undefined ? t('form.edit') : t('form.editNamed', { name })
}

const VERSION_CHANGED = 'channel_version_changed'

function confirmVersion(t: ReturnType<typeof channelMessages.use>): Promise<boolean> {
  return confirm({
    title: t('form.versionTitle'),
    consequence: t('form.baseUrlVersion'),
    confirmLabel: t('form.versionKeep'),
  })
}

function confirmReplaced(t: ReturnType<typeof channelMessages.use>, count: number): Promise<boolean> {
  return confirm({
    title: t('form.replaceTitle', { count }),
    consequence: t('form.replaceText'),
    confirmLabel: t('form.replace'),
    isDestructive: true,
  })
}
