module.exports = { transform: { '\\.rego$': 'writ/jest' } };
