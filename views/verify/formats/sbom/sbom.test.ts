import { expect, test } from 'vitest';
import { parsedFormat } from '../../../../test/harness/verify/formats.js';
import { parseJson, toJson } from '../../../../values/json/json.js';

test.each<readonly [format: string, text: string, json: string]>([
  ...(
    [
      [
        'FileName: ./a\nSPDXID: SPDXRef-a\nFileChecksum: SHA1: 00\nLicenseID: LicenseRef-1\nExtractedText: <text>a\nb</text>\n',
        '"files":[{"SPDXID":"SPDXRef-a","checksums":[{"algorithm":"SHA1","checksumValue":"00"}],"fileName":"./a"}],"hasExtractedLicensingInfos":[{"extractedText":"a\\nb","licenseId":"LicenseRef-1"}]',
      ],
      [
        'PackageName: p\nSPDXID: SPDXRef-p\nExternalRef: SECURITY cpe23Type cpe:x\nExternalRefComment: c\nSnippetSPDXID: SPDXRef-s\nSnippetLineRange: 3:4\nAnnotator: Person: J\nSPDXREF: SPDXRef-p\n',
        '"annotations":[{"annotator":"Person: J"}],"packages":[{"SPDXID":"SPDXRef-p","downloadLocation":"","externalRefs":[{"comment":"c","referenceCategory":"SECURITY","referenceLocator":"cpe:x","referenceType":"cpe23Type"}],"filesAnalyzed":true,"name":"p"}],"snippets":[{"SPDXID":"SPDXRef-s","ranges":[{"endPointer":{"lineNumber":4},"startPointer":{"lineNumber":3}}]}]',
      ],
      [
        'PackageName: p\nSPDXID: SPDXRef-p\nPackageSupplier: Organization: O (o@host.example)\nPackageOriginator: NOASSERTION\nFileName: ./a\nSPDXID: SPDXRef-a\n',
        '"packages":[{"SPDXID":"SPDXRef-p","downloadLocation":"","files":[{"SPDXID":"SPDXRef-a","fileName":"./a"}],"filesAnalyzed":true,"name":"p","originator":"NOASSERTION","supplier":"Organization: O (o@host.example)"}]',
      ],
      [
        'Relationship: SPDXRef-A DEPENDS_ON NOASSERTION\nRelationship: DocumentRef-x:SPDXRef-y OTHER SPDXRef-z\n',
        '"relationships":[{"relatedSpdxElement":"NOASSERTION","relationshipType":"DEPENDS_ON","spdxElementId":"SPDXRef-A"},{"relatedSpdxElement":"SPDXRef-z","relationshipType":"OTHER","spdxElementId":"DocumentRef-x:SPDXRef-y"}]',
      ],
    ] as const
  ).map(
    ([text, json]) =>
      [
        'spdx',
        `SPDXVersion: SPDX-2.2\n${text}`,
        `{"SPDXID":"SPDXRef-","creationInfo":null,"dataLicense":"","documentNamespace":"","name":"","spdxVersion":"SPDX-2.3",${json}}`,
      ] as const,
  ),
  [
    'spdx',
    'SPDXVersion: SPDX-2.3\nLicenseListVersion: 3.9\n',
    '{"SPDXID":"SPDXRef-","creationInfo":{"created":"","creators":null,"licenseListVersion":"3.9"},"dataLicense":"","documentNamespace":"","name":"","spdxVersion":"SPDX-2.3"}',
  ],
  [
    'cyclonedx',
    '<bom xmlns="x" version="3"><dependencies><dependency ref="a"><dependency ref="b"/></dependency></dependencies></bom>',
    '{"bomFormat":"","dependencies":[{"dependsOn":["b"],"ref":"a"}],"specVersion":"SpecVersion(0)","version":3}',
  ],
  [
    'cyclonedx',
    '<bom><metadata><supplier><name>S</name><url>u</url><url>v</url><contact><name>n</name></contact></supplier></metadata><components><component bom-ref="r"><modified>false</modified><licenses><license><name>x</name><text content-type="text/plain">T</text></license></licenses></component></components></bom>',
    '{"bomFormat":"","components":[{"bom-ref":"r","licenses":[{"license":{"name":"x","text":{"content":"T","contentType":"text/plain"}}}],"modified":false,"name":"","type":""}],"metadata":{"supplier":{"contact":[{"name":"n"}],"name":"S","url":["u","v"]}},"specVersion":"SpecVersion(0)","version":0}',
  ],
  [
    'cyclonedx',
    '<bom version="1"><vulnerabilities><vulnerability><ratings><rating><score>9.8</score></rating></ratings><cwes><cwe>79</cwe></cwes><affects><target><ref>r</ref></target></affects></vulnerability></vulnerabilities></bom>',
    '{"bomFormat":"","specVersion":"SpecVersion(0)","version":1,"vulnerabilities":[{"affects":[{"ref":"r"}],"cwes":[79],"ratings":[{"score":9.8}]}]}',
  ],
])('%s: the value of %j', async (name, text, json) => {
  expect(toJson(await parsedFormat(name, text))).toBe(toJson(parseJson(json)));
});

test.each([
  ['spdx', 'DocumentName: x\n', 'unsupported SPDX version: '],
  ['spdx', 'SPDXVersion: SPDX-4.0\n', 'unsupported SPDX version: SPDX-4.0'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nPackageName: p\nPackageName: q\n', 'name p does not have SPDX identifier'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nFileName: f\n', 'file with the name f does not have SPDX identifier'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nPackageName: p\nPackageChecksum: FOO: 1\n', 'PackageChecksum has no valid value: FOO: 1'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nPackageName: p\nPackageSupplier: Tool: t\n', 'PackageSupplier has no valid value: Tool: t'],
  ['cyclonedx', '{"specVersion": "9.9"}', 'invalid specification version'],
  ['cyclonedx', '{"version": "1"}', 'cannot unmarshal string into Go struct field BOM.version'],
  ['cyclonedx', '{"components": {}}', 'cannot unmarshal object into Go struct field BOM.components'],
  ['cyclonedx', '<other/>', 'expected element type <bom> but have <other>'],
])('%s: %j is refused', async (name, text, message) => {
  await expect(parsedFormat(name, text)).rejects.toThrow(message);
});
