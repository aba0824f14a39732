import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
  ATTR_TELEMETRY_SDK_LANGUAGE,
  ATTR_TELEMETRY_SDK_NAME,
} from '@opentelemetry/semantic-conventions/incubating'
import { packageVersion } from '../platform/process/package.ts'
import { readPairs } from './settings.ts'

/** Who measures: what every metric and span bears. */
export const scope = { name: 'fed', version: packageVersion }

/**
 * What is measured: a federation, which is one instance of the service whichever process looks at it, so that
 * all of them continue the same series.
 */
export function resourceOf(federation: string, federationName: string | undefined) {
  const { OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME } = process.env
  return resourceFromAttributes({
    [ATTR_SERVICE_NAME]: 'fed',
    [ATTR_SERVICE_VERSION]: packageVersion,
    ...(federationName === undefined ? {} : { [ATTR_SERVICE_NAMESPACE]: federationName }),
    [ATTR_SERVICE_INSTANCE_ID]: federation,
    [ATTR_TELEMETRY_SDK_NAME]: 'opentelemetry',
    [ATTR_TELEMETRY_SDK_LANGUAGE]: 'nodejs',
    ...readPairs(OTEL_RESOURCE_ATTRIBUTES),
    ...(OTEL_SERVICE_NAME ? { [ATTR_SERVICE_NAME]: OTEL_SERVICE_NAME } : {}),
  })
}
