import { channelRoutes } from '@tollgate/contract/channel'
import { type BoundRoute, bind } from '../handler.ts'
import { copyChannel } from './copy.ts'
import { createChannel } from './create.ts'
import { fetchModels, fetchModelsByForm } from './fetch-models.ts'
import { fixChannels } from './fix.ts'
import { getChannel } from './get.ts'
import { searching } from '../searches.ts'
import { listOrSearchChannels } from './list.ts'
import { listEnabledModels, listModels, listTypes } from './models.ts'
import { removeBatchOfChannels, removeChannel, removeDisabledChannels } from './remove.ts'
import { revealChannelKey } from './reveal.ts'
import type { ChannelServices } from './services.ts'
import { disableTag, enableTag, tagBatchOfChannels, updateTag } from './tags.ts'
import { testChannel } from './probe.ts'
import { updateChannel } from './update.ts'

export function channelHandlers(services: ChannelServices): readonly BoundRoute[] {
  return [
    bind(channelRoutes.list, searching(services, listOrSearchChannels)),
    bind(channelRoutes.search, searching(services, listOrSearchChannels)),
    bind(channelRoutes.get, getChannel(services)),
    bind(channelRoutes.create, createChannel(services)),
    bind(channelRoutes.update, updateChannel(services)),
    bind(channelRoutes.copy, copyChannel(services)),
    bind(channelRoutes.reveal, revealChannelKey(services)),
    bind(channelRoutes.remove, removeChannel(services)),
    bind(channelRoutes.removeDisabled, removeDisabledChannels(services)),
    bind(channelRoutes.removeBatch, removeBatchOfChannels(services)),
    bind(channelRoutes.enableTag, enableTag(services)),
    bind(channelRoutes.disableTag, disableTag(services)),
    bind(channelRoutes.updateTag, updateTag(services)),
    bind(channelRoutes.tagBatch, tagBatchOfChannels(services)),
    bind(channelRoutes.fix, fixChannels(services)),
    bind(channelRoutes.types, listTypes(services)),
    bind(channelRoutes.models, listModels(services)),
    bind(channelRoutes.modelsEnabled, listEnabledModels(services)),
    bind(channelRoutes.fetchModels, fetchModels(services)),
    bind(channelRoutes.fetchModelsByForm, fetchModelsByForm(services)),
    bind(channelRoutes.test, testChannel(services)),
  ]
}
